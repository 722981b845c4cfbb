import type { CheckedNode } from "../definition/flow/checked-node.ts";
import type { Failed } from "../outcome.ts";
import type { World } from "../world.ts";

/** Why one action is refused where another may still be allowed: no person, and no time, did it. */
const OF_ONE: ReadonlySet<string> = new Set([
  ...["policy-denied", "tool-blocked", "tool-not-granted", "scope-not-granted"],
  ...["term-not-granted", "term-expired", "bounds-passed", "condition-failed", "needs-unreadable"],
]);

/**
 * True for a compensation of a rollback that did nothing, because the budget has no room for it or
 * it is not allowed: the others may be, and a person is to be asked about this one.
 */
export function isBorneUndo(
  node: CheckedNode,
  { error }: Failed,
  { loops, tools, rollback }: Pick<World, "loops" | "tools" | "rollback">,
): boolean {
  if (rollback === undefined || node.kind !== "call" || node.onError !== "continue") return false;
  if (!isOfOne(error)) return false;
  const called = loops(node.loopId, node.loopVersion)?.definition;
  const name = called?.tool?.implementation;
  return (
    called !== undefined &&
    name !== undefined &&
    tools.find(name, called.version)?.takesBack === true
  );
}

function isOfOne({ code, details: { unit, denial } }: Failed["error"]): boolean {
  if (code === "BUDGET_EXCEEDED") return unit !== undefined;
  return code === "POLICY_DENIED" && denial !== undefined && OF_ONE.has(denial);
}
