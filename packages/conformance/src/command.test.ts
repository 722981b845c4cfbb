import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { runCommand } from "./command.ts";

async function run(...args: readonly string[]) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const exitCode = await runCommand(args, { stdout, stderr });
  stdout.end();
  stderr.end();
  return { exitCode, out: await text(stdout), err: await text(stderr) };
}

const broken = ["--", process.execPath, "-e", "process.exit(3)"];

test("a broken program fails its cases, and the report says why", async () => {
  expect(await run("--only", "register/minimal-tool", ...broken)).toEqual({
    exitCode: 1,
    out: [
      "FAILED  register/minimal-tool",
      "          the program ended with code 3",
      "0 passed, 1 failed\n",
    ].join("\n"),
    err: "",
  });
});

test.each([
  [["mplp", ...broken], "there is no profile mplp; known: lsem, log, governed, session"],
  [["lsem", "log", ...broken], "one profile at a time: log"],
  [["--only", "lifecycle/nothing", ...broken], "no case is called lifecycle/nothing"],
  [["--quick", ...broken], "Unknown option '--quick'"],
  [["lsem"], "name the command of the runtime to test, after --"],
])("%j is refused, with the next command", async (args, message) => {
  const { exitCode, err } = await run(...args);
  expect(exitCode).toBe(64);
  expect(err).toContain(`error: ${message}`);
  expect(err).toContain("\n  next: turnseal-conformance --help\n");
});

test("help names every profile and option", async () => {
  const { exitCode, out } = await run("--help");
  expect(exitCode).toBe(0);
  for (const word of ["lsem", "graph", "--only", "--verbose", "64 wrong usage"])
    expect(out).toContain(word);
});
