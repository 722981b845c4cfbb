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
  /**
   * ISO 8601: by when somebody should look at the run. Absent when only a message can move it, and
   * when it has ended.
   */
  readonly dueAt?: string;
  /** ISO 8601: when the run ended. */
  readonly endedAt?: string;
  /** Unanswered requests to people, in order of `sequence`; absent when there are none. */
  readonly waiting?: readonly WaitingRow[];
}

/** One thing that a run waits for. It does not change: it is there, or it is gone. */
export interface WaitingRow {
  /** The event that asked. */
  readonly sequence: number;
  /** Its id for people. */
  readonly id: string;
  readonly kind: string;
  /** The tool or loop that would act, or that asks. */
  readonly name: string;
  /** Who may answer; anybody with an identity when it is null. */
  readonly role: string | null;
  readonly askedAt: string;
  readonly decideBy: string | null;
}
