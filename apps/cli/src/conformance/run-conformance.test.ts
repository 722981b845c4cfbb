import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { readWritten } from "../read-written.test.data.ts";
import { type ConformanceOptions, runConformance } from "./run-conformance.ts";

async function run(options: ConformanceOptions) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const exitCode = await runConformance({ ...options, stdout, stderr });
  const text = (stream: PassThrough) => readWritten(stream);
  return { exitCode, out: text(stdout), err: text(stderr) };
}

describe("runConformance", () => {
  test("passes this runtime and says so in its last line", async () => {
    expect(await run({ only: ["register/minimal-tool", "lifecycle/tool"] })).toEqual({
      exitCode: 0,
      out: "2 passed, 0 failed\n",
      err: "",
    });
  });

  test("runs the profile that it is asked for", async () => {
    const only = ["turns/cap-of-two", "crashes/once-before-settled", "receipt/one-turn"];
    expect(await run({ profile: "log", only })).toEqual({
      exitCode: 0,
      out: "3 passed, 0 failed\n",
      err: "",
    });
  });

  test("runs what is asked about rules, approvals and handoffs", async () => {
    const only = ["approvals/approved", "handoffs/lineage", "receipt-tree/as-deep-as-may-be"];
    const { exitCode, out } = await run({ profile: "governed", only });
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: "3 passed, 0 failed\n" });
  });

  test("shows passed cases when asked to", async () => {
    const { out } = await run({ only: ["register/minimal-tool"], verbose: true });
    expect(out).toBe("ok      register/minimal-tool\n1 passed, 0 failed\n");
  });

  test("fails another program's cases and says why", async () => {
    const command = [process.execPath, "-e", "process.exit(3)"];
    expect(await run({ command, only: ["register/minimal-tool"] })).toEqual({
      exitCode: 1,
      out: [
        "FAILED  register/minimal-tool",
        "          the program ended with code 3",
        "0 passed, 1 failed\n",
      ].join("\n"),
      err: "",
    });
  });

  test("refuses a profile or a case that does not exist", async () => {
    expect(await run({ profile: "mplp" })).toEqual({
      exitCode: 64,
      out: "",
      err: "there is no profile mplp; known: lsem, log, governed, session, context, flow, graph\n",
    });
    expect(await run({ only: ["lifecycle/nothing"] })).toMatchObject({
      exitCode: 64,
      err: "no case is called lifecycle/nothing\n",
    });
  });
});
