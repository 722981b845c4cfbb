import { expect, test } from "vitest";
import type { JsonObject } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { followPlans } from "./follow-plans.ts";

type Said = readonly [type: string, content: JsonObject, call?: string];

/** The numbers of the events at fault, from one. */
function findFaults(said: readonly Said[]): number[] {
  const plans = followPlans();
  return said.flatMap(([type, content, call = "ask"], index) => {
    const place = { sequence: index + 1, hash: `hash-${index + 1}`, turn: 1, call };
    const parent = call === "ask" ? { parentCall: "whole" } : {};
    return plans
      .follow({ ...place, ...parent, type, content } as unknown as RawEvent)
      .map(({ sequence = 0 }) => sequence);
  });
}

const proposed: Said = ["plan.proposed", { steps: [] }];
const claimed: Said = ["action.claimed", { tool: "turnseal.plan" }];
const settled: Said = ["action.settled", { status: "ok" }];
const decided = (decision: string, fields: JsonObject = {}): Said => [
  "plan.decided",
  { plan: 1, hash: "hash-1", decision, ...fields },
];
const step: Said = ["child.started", { child: "step", path: "/flow/nodes/1" }, "whole"];
const closed = (fields: JsonObject = {}, call = "whole"): Said => [
  "plan.closed",
  { plan: 1, hash: "hash-1", status: "completed", ...fields },
  call,
];
const begun: Said = ["call.started", { loop: `plan-${"0a".repeat(16)}` }, "whole"];
const asked: Said = ["child.started", { child: "ask", loop: "turnseal.plan" }, "whole"];
const approved = [proposed, claimed, settled, decided("approved")];

test("a plan that is approved, carried out and closed is sound, and a rejected one, too", () => {
  expect(findFaults([...approved, step, closed()])).toEqual([]);
  expect(findFaults([proposed, decided("rejected")])).toEqual([]);
  expect(findFaults([proposed])).toEqual([]);
});

test.each<readonly [string, readonly Said[], readonly number[]]>([
  ["a step before the decision", [proposed, step], [2]],
  ["a step of a plan that nobody proposed", [begun, asked, step], [3]],
  ["a step after a rejection", [proposed, decided("rejected"), step], [3]],
  ["a step after its end", [...approved, closed(), step], [6]],
  ["an approval that nothing let through", [proposed, decided("approved")], [2]],
  [
    "an approval by a claim of another tool",
    [proposed, ["action.claimed", { tool: "local.pay" }], settled, decided("approved")],
    [4],
  ],
  [
    "an approval whose claim failed",
    [proposed, claimed, ["action.settled", { status: "failed" }], decided("approved")],
    [4],
  ],
  ["a rejection of what was let through", [proposed, claimed, settled, decided("rejected")], [4]],
  ["a decision about nothing", [decided("rejected")], [1]],
  ["a decision about another plan", [proposed, decided("rejected", { plan: 7 })], [2]],
  ["a decision with another hash", [proposed, decided("rejected", { hash: "hash-2" })], [2]],
  ["a second decision", [...approved, decided("rejected")], [5]],
  ["a second plan for the same call", [...approved, proposed], [5]],
  ["an end without an approval", [proposed, closed()], [2]],
  ["an end of another call", [...approved, closed({}, "other")], [5]],
  ["an end with another hash", [...approved, closed({ hash: "hash-2" })], [5]],
  ["a second end", [...approved, closed(), closed()], [6]],
])("%s is found", (_, said, faults) => {
  expect(findFaults(said)).toEqual(faults);
});

test("plans are of one turn", () => {
  expect(findFaults([...approved, ["turn.started", {}], closed()])).toEqual([6]);
});
