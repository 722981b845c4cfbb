import type { JsonObject } from "@turnseal/protocol";

/**
 * A fold of each run's events, so that nobody reads a whole log to take one step. It can be dropped
 * and made again.
 */
export interface RunStore {
  /** The latest snapshot that an append brought. */
  read(run: string): Promise<RunSnapshot | undefined>;
  /** Snapshots in order of the ids of their runs, at most `RUNS_LIST_MAX` after `after`. */
  list(after?: string): Promise<readonly RunSnapshot[]>;
  /** Drops the snapshot; the next advance folds the log from its first event. */
  drop(run: string): Promise<void>;
}

/** The most runs that one list answers. */
export const RUNS_LIST_MAX = 200;

export interface RunSnapshot {
  readonly run: string;
  /** The last event that the snapshot has seen. */
  readonly sequence: number;
  readonly state: JsonObject;
}
