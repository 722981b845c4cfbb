// The decision table, and the commands of the README exactly as they are printed.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { decideTurn, type TurnRequest } from "./decide-turn.ts";

const request: TurnRequest = {
  loopId: "loop",
  objective: "look",
  turnsClosed: 0,
  turnsMax: 3,
  previousSummary: "",
  requestedTool: "fs.read",
  allowedTools: ["fs.read"],
  needsReview: false,
};

test.each<[Partial<TurnRequest>, string, string, boolean]>([
  [{}, "continue", "bounded_next_turn_available", true],
  [{ turnsClosed: 1 }, "done", "fixture_objective_complete", false],
  [{ turnsMax: 1 }, "done", "fixture_objective_complete", false],
  [{ needsReview: true }, "needs_human", "side_effect_review_required", false],
  [{ needsReview: true, turnsClosed: 1 }, "needs_human", "side_effect_review_required", false],
  [{ requestedTool: "fs.write" }, "refused", "tool_not_allowed", false],
  [{ requestedTool: "fs.write", needsReview: true }, "refused", "tool_not_allowed", false],
  [{ allowedTools: [] }, "refused", "tool_not_allowed", false],
  [{ turnsClosed: 3 }, "refused", "turn_budget_exhausted", false],
  [{ turnsClosed: 3, requestedTool: "fs.write" }, "refused", "turn_budget_exhausted", false],
])("%j: %s, %s", (changed, decision, reasonCode, nextTurnAllowed) => {
  const turnIndex = (changed.turnsClosed ?? 0) + 1;
  expect(decideTurn({ ...request, ...changed })).toMatchObject({
    ...{ turnId: `loop:turn-${turnIndex}`, turnIndex, decision, reasonCode, nextTurnAllowed },
  });
});

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
const shown = [...readme.matchAll(/^```sh\n([^`]*)^```\n\n```text\n([^`]*)^```$/gm)];

test("the README shows what its commands print", { timeout: 60_000 }, () => {
  expect(shown).toHaveLength(2);
  for (const [, command = "", printed = ""] of shown) {
    const line = command.replaceAll(
      "npx turnseal",
      `"${process.execPath}" apps/cli/bin/turnseal.js`,
    );
    const env = { PATH: process.env["PATH"] };
    const ran = spawnSync("sh", ["-c", line], { cwd: root, env, encoding: "utf8" });
    expect(ran).toMatchObject({ status: 0, stderr: "", stdout: printed });
  }
});
