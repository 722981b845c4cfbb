import type { CheckedNode } from "../definition/flow/checked-node.ts";
import type { Failed } from "../outcome.ts";
import type { World } from "../world.ts";

/**
 * True for a compensation that did nothing because the budget has no room for it, where its failure
 * is to be borne: the others may need less, and a person is to be asked about this one.
 */
export function isUndoWithoutRoom(
  node: CheckedNode,
  { error: { code, details } }: Failed,
  { loops, tools }: World,
): boolean {
  if (node.kind !== "call" || node.onError !== "continue") return false;
  if (code !== "BUDGET_EXCEEDED" || details.unit === undefined) return false;
  const called = loops(node.loopId, node.loopVersion)?.definition;
  const name = called?.tool?.implementation;
  return (
    called !== undefined &&
    name !== undefined &&
    tools.find(name, called.version)?.takesBack === true
  );
}
