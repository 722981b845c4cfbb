// Every example runs as its README says, prints what is written beside it, and is the same as
// document and as module.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { repositoryRoot } from "./tidy/tree.ts";

const folder = join(repositoryRoot, "examples");
const examples = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

function runNode(...args: string[]): { status: number | null; out: string; err: string } {
  // No key, no proxy, nothing that another machine may not have.
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, NODE_COMPILE_CACHE };
  const ran = spawnSync(process.execPath, args, { cwd: repositoryRoot, env, encoding: "utf8" });
  return { status: ran.status, out: ran.stdout, err: ran.stderr };
}

/** How long a test took is another time each time. */
const steady = (out: string): string =>
  out.replaceAll(/\b[\d.]+ms\b|(?<=duration_ms )[\d.]+/g, "<time>");

/** What needs an engine and a database runs in e2e. */
const durable: ReadonlySet<string> = new Set(["embedded-worker"]);

/** Its documents name the tools of its module, and say nothing twice. */
const apart: ReadonlySet<string> = new Set(["workflows"]);

test("the examples are found", () => {
  expect(examples).toEqual(expect.arrayContaining(["hello", "rag", "tool-calling", "two-agents"]));
});

test.each(examples.filter((name) => !durable.has(name)))("%s prints what is expected", (name) => {
  const main = join("examples", name, "main.ts");
  const { status, out, err } = runNode("--conditions=turnseal-source", main);
  expect({ status, err }).toEqual({ status: 0, err: "" });
  const expected = readFileSync(join(folder, name, "expected-output.txt"), "utf8");
  expect(name === "agent-test" ? steady(out) : out).toBe(expected);
});

describe.each(examples)("%s", (name) => {
  const path = join("examples", name);

  test("has the same loops as documents and as a module", () => {
    const documents = readdirSync(join(folder, name, "loops"));
    const both = [join(path, "loops.ts"), join(path, "loops")];
    const { out } = runNode("apps/cli/bin/turnseal.js", "check", "--json", ...both);
    const report = JSON.parse(out);
    // The same id and version with other content would be a problem.
    expect(report.problems).toEqual([]);
    expect(report.files).toBe(documents.length + 1);
    if (!apart.has(name)) expect(report.loops).toHaveLength(documents.length);
  });

  test("has a README that says how to run it", () => {
    const readme = readFileSync(join(folder, name, "README.md"), "utf8");
    expect(readme).toContain(`node --conditions=turnseal-source ${path}/main.ts`);
  });
});
