/**
 * Open handoffs (spec/run.md §10.8). Their reservations count as spent. Where a slice has no cap to
 * reserve, other actions wait for its run to end.
 */
import { countFanout, isClaimOf, type LoopEvent } from "@turnseal/protocol";
import { listOpenClaims } from "../resume/list-item-runs.ts";
import type { Acting, HandedRun, Step } from "../step/step.ts";

export function listHandedRuns(events: readonly LoopEvent[]): HandedRun[] {
  if (!events.some((event) => isClaimOf("handoff", event))) return [];
  return listOpenClaims(events).filter((claim) => isClaimOf("handoff", claim));
}

/** The parallel limits of each of them. */
export function listActing({ handed }: Pick<Step, "handed">): Pick<Acting, "terms">[] {
  return handed.map(({ content }) => ({ terms: countFanout(content.grant, content.proof) }));
}

/**
 * True while a run is open without a cap on a unit that the rules look at: its amount is known only
 * when it has ended.
 */
export function isUncounted({
  handed,
  action: { judged, judgeAll },
  authority: { unitsRead },
}: Pick<Step, "handed" | "action" | "authority">): boolean {
  if (judged === undefined && judgeAll === undefined) return false;
  return handed.some(({ content: { grant } }) =>
    unitsRead === "all" ? true : unitsRead.some((unit) => !Object.hasOwn(grant.budget, unit)),
  );
}
