// Every command of package.json that is a program of this repository, as a process: it answers
// people who ask, and people who mistype, before it does anything.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { repositoryRoot } from "./tidy/tree.ts";

const manifest = readFileSync(join(repositoryRoot, "package.json"), "utf8");
const { scripts } = JSON.parse(manifest) as { readonly scripts: Record<string, string> };
// One program with nothing behind it: what is typed after the dashes reaches it alone.
const program = /^node (?:--conditions=turnseal-source )?(?:tools|proofs|bench)\/[a-z0-9/-]+\.ts$/;
// The command of a published package has tests of its own.
const published = new Set(["conformance"]);
const proofs = readdirSync(join(repositoryRoot, "proofs"))
  .filter((file) => file.endsWith(".ts") && scripts[file.slice(0, -3)] === undefined)
  .map((file) => `proof ${file.slice(0, -3)}`);
const commands = [
  ...Object.keys(scripts).filter(
    (name) => program.test(scripts[name] ?? "") && !published.has(name),
  ),
  ...proofs,
];

/** A command without an answer by then has begun to work. */
const ANSWER_MS = 30_000;

function run(name: string, args: readonly string[]) {
  const [script = "", ...operands] = name.split(" ");
  const [, ...line] = (scripts[script] ?? "").split(" ");
  const { status, stdout, stderr } = spawnSync(process.execPath, [...line, ...operands, ...args], {
    cwd: repositoryRoot,
    encoding: "utf8",
    timeout: ANSWER_MS,
  });
  return { status, stdout, stderr };
}

test("the commands are found", () => {
  expect(commands).toEqual(
    expect.arrayContaining(["test", "test:e2e", "proof crash", "bench", "pack"]),
  );
});

test.each(commands)("%s says how it is used", (name) => {
  const { status, stdout, stderr } = run(name, ["--help"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(new RegExp(`^usage: npm (run )?${name}\\b`));
  expect(stdout).toMatch(/\n {2}--help +this text\n/);
  expect(stdout).toMatch(/\nIt takes .+\.\n$/);
});

/** It gives everything else to vitest. */
const passedOn = new Set(["test:e2e"]);

test.each(commands.filter((name) => !passedOn.has(name)))(
  "%s refuses what it does not know",
  (name) => {
    const { status, stdout, stderr } = run(name, ["--nonsense"]);
    expect({ status, stdout }).toEqual({ status: 64, stdout: "" });
    expect(stderr).toMatch(/^there is no option --nonsense\n\nusage: npm /);
    expect(stderr).not.toMatch(/\n +at /);
  },
);

test.each([
  ["proof crash", ["--random", "-1"], "--random"],
  ["proof crash", ["--seed", ""], "--seed"],
  ["proof simulate", ["--seeds", "x"], "--seeds"],
  ["proof fuzz", ["--entry", "nowhere"], "--entry"],
  ["proof chaos", ["--fault", "nobody"], "--fault"],
  ["proof schema-suite", ["--folder", "package.json"], "--folder"],
  ["proof", [], "<name>"],
  ["proof", ["nothing"], "<name>"],
  ["bench", [], "<name>"],
  ["bench", ["nothing"], "<name>"],
  ["bench", ["parked", "--runs", "1,x"], "--runs"],
  ["bench", ["call", "--turns", "1"], "there is no option --turns"],
])("%s %j is refused by name", (name, args, named) => {
  const { status, stdout, stderr } = run(name, args);
  expect({ status, stdout }).toEqual({ status: 64, stdout: "" });
  const [problem = "", empty, usage] = stderr.split("\n");
  expect(problem.startsWith(named)).toBe(true);
  expect([empty, usage]).toEqual(["", expect.stringMatching(/^usage: npm run /)]);
  expect(stderr).not.toMatch(/\n +at /);
});

test("a benchmark says what it can be measured at", () => {
  const { status, stdout } = run("bench", ["parked", "--help"]);
  expect(status).toBe(0);
  expect(stdout).toContain("--runs <counts>");
  expect(stdout).toContain("(default 1000,10000,100000)");
});

test("a folder that holds something else is not packed into", () => {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-pack-"));
  try {
    writeFileSync(join(folder, "thesis.txt"), "years of work");
    const { status, stderr } = run("pack", [folder]);
    expect(status).toBe(64);
    expect(stderr).toMatch(/^<folder> must be .* thesis\.txt in it\n/);
    expect(readdirSync(folder)).toEqual(["thesis.txt"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
