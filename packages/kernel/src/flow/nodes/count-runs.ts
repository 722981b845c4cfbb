/** How many nodes one call may run (spec/flow.md §7.1). */
import { NODE_RUNS_MAX } from "../../limits.ts";
import { type Failed, fail } from "../../outcome.ts";
import type { NodePlace } from "./node.ts";

/** The events of a call are bounded, and not every node leaves one: why no more are run. */
export function countRuns({ runs }: Pick<NodePlace, "runs">, more: number): Failed | undefined {
  runs.count += more;
  if (runs.count <= NODE_RUNS_MAX) return undefined;
  return fail("BUDGET_EXCEEDED", `the flow runs more than ${NODE_RUNS_MAX} nodes`);
}
