/**
 * The ids that follow from a key: for a run with a key, and for rollbacks, whose keys are reserved.
 */
import {
  cellOf,
  inCell,
  isPlainObject,
  isPlanLoop,
  type PlanDocument,
  parsePlan,
  uuidFrom,
} from "@turnseal/protocol";

/** The run that is started with this key, in a cell where the deployment has some. */
export function runOfKey(key: string, cell?: string): string {
  return placeRun(uuidFrom(`local\n${key}`), cell);
}

export function placeRun(run: string, cell: string | undefined): string {
  return cell === undefined ? run : inCell(run, cell);
}

/** The prefix of the keys of rollbacks: no other run has it. */
export const ROLLBACK_KEY = "rollback:";

/** The key that starts a rollback. */
export function rollbackKey(run: string, ordinal: number): string {
  return `${ROLLBACK_KEY}${run}:${ordinal}`;
}

/**
 * Returns the run of a rollback. It is in the cell of the run that it undoes, even if the
 * deployment has none: so one place has both.
 */
export function rollbackRun(run: string, ordinal: number): string {
  return runOfKey(rollbackKey(run, ordinal), cellOf(run));
}

/** The facts of a rollback in its plan. */
export type RollbackHead = NonNullable<PlanDocument["rollback"]>;

/** True if a run is the rollback that its plan says it is. */
export function isRollbackRun(run: string, head: RollbackHead): boolean {
  return run === rollbackRun(head.run, head.ordinal);
}

/** The plan of a run, if the run is the rollback that its plan names. */
export function parseRollback(run: string, loop: string, input: unknown): PlanDocument | undefined {
  if (!isPlanLoop(loop)) return undefined;
  const parsed = isPlainObject(input) ? parsePlan(input) : undefined;
  const head = parsed?.kind === "parsed" ? parsed.plan.rollback : undefined;
  const isIt = head !== undefined && isRollbackRun(run, head);
  return parsed?.kind === "parsed" && isIt ? parsed.plan : undefined;
}
