import type { CheckedNode } from "../definition/flow/checked-node.ts";
import type { Failed } from "../outcome.ts";
import type { World } from "../world.ts";

/** Why one action is refused where another may still be allowed: no person, and no time, did it. */
const OF_ONE: ReadonlySet<string> = new Set([
  ...["policy-denied", "tool-blocked", "tool-not-granted", "scope-not-granted"],
  ...["term-not-granted", "term-expired", "bounds-passed", "condition-failed", "needs-unreadable"],
]);

/**
 * True for a rollback's compensation that did nothing, because the budget has no room for it or it
 * is denied. The other compensations may still run, and a person is asked about this one.
 */
export function isSkippableUndo(node: CheckedNode, { error }: Failed, world: World): boolean {
  const isRollback = world.kind === "run" && world.identity.isRollback;
  if (!isRollback || node.kind !== "call" || node.onError !== "continue") return false;
  if (!isOfOne(error)) return false;
  const called = world.identity.loops(node.loopId, node.loopVersion)?.definition;
  const name = called?.tool?.implementation;
  return (
    called !== undefined &&
    name !== undefined &&
    world.effects.tools.find(name, called.version)?.takesBack === true
  );
}

function isOfOne({ code, details: { unit, denial } }: Failed["error"]): boolean {
  if (code === "BUDGET_EXCEEDED") return unit !== undefined;
  return code === "POLICY_DENIED" && denial !== undefined && OF_ONE.has(denial);
}
