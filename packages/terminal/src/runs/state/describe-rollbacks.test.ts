import { expect, test } from "vitest";
import { describeRollbacks, type RolledBack } from "./describe-rollbacks.ts";

test("a rollback says how many actions it leaves, also those that it does not list", () => {
  const run = "760afb31-fc92-42b7-abb5-92048b5c76f5";
  const left = [{ run, turn: 1, key: "k", tool: "local.mail", why: "undeclared" as const }];
  const head = { run, toTurn: 0, ordinal: 0, left, leftBeside: 4 };
  const progress = { takenBack: 2, of: 2 };
  expect(describeRollbacks({ ...head, progress })).toEqual([
    "takes back run 760afb31, 2 actions taken back; 5 actions left as they are",
  ]);
});

test("a rollback that took nothing back is not said to have", () => {
  const projection = { stopped: "approval-rejected" } as RolledBack["projection"];
  const run = "760afb31-fc92-42b7-abb5-92048b5c76f5";
  const progress = { takenBack: 0, of: 2 };
  const rollback = { run, ordinal: 0, head: undefined, projection, progress };
  expect(describeRollbacks(undefined, [rollback])).toEqual([
    "a rollback is run 760afb31: rejected, 2 of 2 actions not taken back",
  ]);
});
