import { eraseRun } from "./erase-run.ts";
import type { Database } from "./open-database.ts";
import { listEndedRuns } from "./statements/list-ended-runs.ts";

/** The most runs whose content one call erases. */
export const RETENTION_RUNS_MAX = 100;

export interface Retained {
  /** Runs whose content was erased now. */
  readonly erased: readonly string[];
  /** True when no more runs have ended before then. */
  readonly isDone: boolean;
}

/**
 * Erases the content of runs that ended before a time, the oldest first. Runs that have not ended
 * are never touched, at any age; logs and receipts stay, and verify.
 */
export async function eraseEndedRuns(
  db: Database,
  before: string,
  limit: number = RETENTION_RUNS_MAX,
): Promise<Retained> {
  const count = Math.min(Math.max(limit, 1), RETENTION_RUNS_MAX);
  const runs = await listEndedRuns(db, before, count);
  for (const run of runs) await eraseRun(db, run);
  return { erased: runs, isDone: runs.length < count };
}
