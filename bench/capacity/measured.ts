/**
 * What was measured, and how: the model computes from these and from nothing else.
 *
 * The turn has one model call and one idempotent tool, both of which answer at once. The machine
 * has two cores, and its database is on the same disk.
 */

/** Milliseconds of processor time, by part. */
export interface Effort {
  readonly worker: number;
  readonly postgres: number;
  readonly engine: number;
}

/** `npm run capacity -- --measure`, 2026-11-17: 32 runs at once, of one turn and of nine. */
export const EFFORT: { readonly run: Effort; readonly turn: Effort } = {
  run: { worker: 5.79, postgres: 1.93, engine: 6.59 },
  turn: { worker: 9.86, postgres: 5.12, engine: 0.65 },
};

/** The same: cores that are busy while nothing happens. */
export const IDLE: Effort = { worker: 0.02, postgres: 0.03, engine: 0.02 };

/** The same: kilobytes of write-ahead log. */
export const WAL_KB = { run: 4.64, turn: 9.31 } as const;

/** `npm run bench -- layout`, 2026-11-17. */
export const STORED = { turnKb: 6.46, turnRows: 7, turnStatements: 3, shortRunStatements: 6 };

/**
 * `npm run bench -- parked --runs 200 --idle 2`, 2026-11-17. So few runs hardly fill the first page
 * of each partition and index, which makes the kilobytes too high.
 */
export const PARKED = { databaseKb: 30.6, engineTimers: 1 };

/** `npm run bench -- repair`, 2026-11-16, two cores with nothing else to do. */
export const REPAIRED_PER_SECOND = 1_086;

/** `npm run capacity -- --measure`, 2026-11-17: all killed at once, until a worker is ready. */
export const RESTART_S = 6.75;

/** `npm run bench -- subscribers`, as docs/operate/server.md has it. */
export const STREAM_KB = 30;
