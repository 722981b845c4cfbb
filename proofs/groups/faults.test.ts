/**
 * Tests the proof of groups: the runtime has one fault, and the proof must name it. No process is
 * killed, so the fault alone causes every finding.
 */
import { expect, test } from "vitest";
import { createTally, type GroupFault } from "./group-proof.ts";
import { groupLocally } from "./local-groups.ts";

const TIMEOUT_MS = 120_000;
/** Beyond every boundary. */
const NEVER = { every: 1_000_000, seed: 999_999 };

const ends = "packages/kernel/src/flow/nodes/end-group.ts";
const runs = "packages/kernel/src/flow/nodes/run-group.ts";

interface Noticed extends GroupFault {
  readonly says: RegExp;
}

const faults: readonly Noticed[] = [
  {
    name: "a-compensation-is-skipped",
    file: ends,
    find: 'if (member.own !== "done" || undo === undefined) continue;',
    replace: 'if (member.own !== "done" || undo === undefined || index === 0) continue;',
    says: /the last fails, 0: part done,taken-back,not-done, and not none/,
  },
  {
    name: "taken-back-in-order",
    file: ends,
    find: "[...group.members.entries()].toReversed()",
    replace: "[...group.members.entries()]",
    says: /the last fails, 0: taken back in the order seat,room/,
  },
  {
    name: "closed-as-all-whatever-failed",
    file: ends,
    find: "outcome: outcomeOf(group),",
    replace: 'outcome: "all",',
    says: /the last fails, 0: all taken-back,taken-back,not-done, and not none/,
  },
  {
    name: "a-member-is-released-twice",
    file: "packages/kernel/src/journal/hold-member.ts",
    find: "  const acted = await claimAndAct(step, { claim, onTaken });",
    replace:
      "  await claimAndAct(step, { claim, onTaken });\n" +
      "  const acted = await claimAndAct(step, { claim, onTaken });",
    says: /all succeed, 0: EFFECT_/,
  },
  {
    name: "released-before-it-is-committed",
    file: runs,
    find: "const committed = await commit(held, undos, place, parts);",
    replace: "const committed = succeed({ held, undos });",
    says: /all succeed, 0: TURN_ORDER/,
  },
];

test("finds nothing in the runtime as it is", { timeout: TIMEOUT_MS }, async () => {
  const tally = createTally();
  await groupLocally({ ...NEVER, say: () => {} }, tally);
  expect(tally).toMatchObject({ groups: 5, kills: 0, problems: [] });
});

test.each(faults)("notices $name", { timeout: TIMEOUT_MS }, async ({ says, ...fault }) => {
  const tally = createTally();
  await groupLocally({ ...NEVER, say: () => {}, fault }, tally);
  expect(tally.problems.join("\n")).toMatch(says);
});
