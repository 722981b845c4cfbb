/**
 * The ids that follow from a key: of a run that is started with one, and of rollbacks, whose keys
 * nobody else has.
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

/** What the keys of rollbacks begin with: no other run has one. */
export const ROLLBACK_KEY = "rollback:";

/** The key that starts a rollback. */
export function rollbackKey(run: string, ordinal: number): string {
  return `${ROLLBACK_KEY}${run}:${ordinal}`;
}

/**
 * The run of a rollback. It is in the cell of the run that it takes back, also where the deployment
 * has none: whoever has the one has the other.
 */
export function rollbackRun(run: string, ordinal: number): string {
  return runOfKey(rollbackKey(run, ordinal), cellOf(run));
}

/** What a rollback says of itself. */
export type RollbackHead = NonNullable<PlanDocument["rollback"]>;

/** True where a run is the rollback that its plan says it is. */
export function isRollbackRun(run: string, head: RollbackHead): boolean {
  return run === rollbackRun(head.run, head.ordinal);
}

/** The plan that a run was given, where the run is the rollback that it says it is. */
export function parseRollback(run: string, loop: string, input: unknown): PlanDocument | undefined {
  if (!isPlanLoop(loop)) return undefined;
  const parsed = isPlainObject(input) ? parsePlan(input) : undefined;
  const head = parsed?.kind === "parsed" ? parsed.plan.rollback : undefined;
  const isIt = head !== undefined && isRollbackRun(run, head);
  return parsed?.kind === "parsed" && isIt ? parsed.plan : undefined;
}
