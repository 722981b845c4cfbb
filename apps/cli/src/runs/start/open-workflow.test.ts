// The rules of the workflows of the package: what a person is asked, and what is denied.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { startProgram } from "../../start-program.test.data.ts";
import { locateShipped, WORKFLOWS } from "../../terminal/shipped-workflows.ts";

const folder = mkdtempSync(join(tmpdir(), "turnseal-workflows-"));
afterAll(() => rmSync(folder, { recursive: true }));

const rules = locateShipped("templates/workflows/rules.toml");
const change = { effect: "idempotent", args: { target: "src/a.js", args: [] }, spend: {} };

describe("the rules", () => {
  test.each([
    ["ask before the first change", { tool: "fs.edit", decision: "ask", rule: "first-change" }],
    ["ask before the first deletion", { tool: "fs.delete", decision: "ask", rule: "first-change" }],
    [
      "allow later changes",
      { tool: "fs.write", decision: "allow", rule: "later-changes", spend: { effects: 1 } },
    ],
    [
      "ask before every page of the web",
      { tool: "web.fetch", effect: "read", decision: "ask", rule: "web", spend: { effects: 9 } },
    ],
    ["allow commands that only read", { tool: "process.run", effect: "read", decision: "allow" }],
    ["deny commands that write", { tool: "process.run", effect: "once", decision: "deny" }],
    [
      "deny a change of the document itself",
      {
        tool: "fs.edit",
        args: { target: "dwim.toml", args: [] },
        decision: "deny",
        rule: "own-words",
      },
    ],
    [
      "deny a change of it by a name in other case, which some file systems take for the same",
      {
        ...{ tool: "fs.write", args: { target: "DWIM.toml", args: [] } },
        ...{ decision: "deny", rule: "own-words" },
      },
    ],
    [
      "deny a move to it by such a name",
      {
        ...{ tool: "fs.move", args: { target: "a.toml", args: ["Review.TOML", "sha256:0"] } },
        ...{ decision: "deny", rule: "own-words", spend: { effects: 1 } },
      },
    ],
    [
      "deny a move to the document itself",
      {
        ...{ tool: "fs.move", args: { target: "a.toml", args: ["review.toml", "sha256:0"] } },
        ...{ decision: "deny", rule: "own-words", spend: { effects: 1 } },
      },
    ],
    ["allow what a rollback does", { tool: "fs.move.undo", decision: "allow", rule: "rollback" }],
  ])("%s", async (name, expected) => {
    const cases = join(folder, "cases.json");
    writeFileSync(cases, JSON.stringify({ cases: [{ name, ...change, ...expected }] }));
    const { ended, out, err } = startProgram(["policy", "test", rules, cases]);
    expect(`${await ended}${err()}`, out()).toBe("0");
  });
});

test.each(Object.keys(WORKFLOWS))("the document %s is right as it is shipped", async (name) => {
  const file = locateShipped(`templates/workflows/${name}.toml`);
  const { ended, out } = startProgram(["check", file, "turnseal:workspace"]);
  expect(`${await ended}`, out()).toBe("0");
});

test("the help of run and init has a line for each", async () => {
  for (const command of ["run", "init"]) {
    const { ended, out } = startProgram([command, "--help"]);
    await ended;
    for (const [name, what] of Object.entries(WORKFLOWS))
      await expect.poll(out).toContain(`${name.padEnd(10)}${what}`);
  }
});
