import type { RunSnapshot } from "@turnseal/ports";
import type { Database } from "./open-database.ts";
import { type DueRun, listDueRuns } from "./statements/list-due-runs.ts";
import { listNewestRuns } from "./statements/list-newest-runs.ts";
import { listToldRuns } from "./statements/list-told-runs.ts";
import { listUnfinishedRuns } from "./statements/list-unfinished-runs.ts";
import { listWaiting, type WaitingEntry, type WaitingPlace } from "./statements/list-waiting.ts";
import { listWaitingForRole } from "./statements/list-waiting-for-role.ts";

/**
 * Lists across the runs of a tenant: never on the way of a turn. Each page has at most
 * `RUNS_LIST_MAX` entries and begins after the last entry of the one before it.
 */
export interface RunLists {
  /** Runs that are due before a time, the longest overdue first. */
  listDue(until: string, after?: DueRun): Promise<readonly DueRun[]>;
  /** Runs whose inbox has unread messages from before a time, by their ids. */
  listTold(until: string, after?: string): Promise<readonly string[]>;
  /** Snapshots of runs, the latest start first; a page begins before a run. */
  listNewest(before?: string): Promise<readonly RunSnapshot[]>;
  /** Snapshots of runs that have not ended, by their ids. */
  listUnfinished(after?: string): Promise<readonly RunSnapshot[]>;
  /** Requests to people, oldest first: all, or those that one role may answer. */
  listWaiting(filter?: WaitingFilter): Promise<readonly WaitingEntry[]>;
}

export interface WaitingFilter {
  readonly role?: string;
  readonly after?: WaitingPlace;
}

const noRun = "00000000-0000-0000-0000-000000000000";
const lastRun = "ffffffff-ffff-ffff-ffff-ffffffffffff";

export function createRunLists(db: Database): RunLists {
  const first: WaitingPlace = { askedAt: "-infinity", run: noRun, sequence: 0 };
  return {
    listDue: (until, after = { dueAt: "-infinity", run: noRun }) => listDueRuns(db, until, after),
    listTold: (until, after = noRun) => listToldRuns(db, until, after),
    listNewest: (before = lastRun) => listNewestRuns(db, before),
    listUnfinished: (after = noRun) => listUnfinishedRuns(db, after),
    listWaiting: ({ role, after = first } = {}) =>
      role === undefined ? listWaiting(db, after) : listWaitingForRole(db, role, after),
  };
}
