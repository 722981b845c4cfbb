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

/**
 * `npm run capacity -- --measure`, 2026-11-17: 32 runs at once, of one turn and of nine. The
 * machine was busy with other work (load average 12 on two cores), and what is spent while nothing
 * happens was not taken out yet: both make these too high.
 */
export const EFFORT: { readonly run: Effort; readonly turn: Effort } = {
  run: { worker: 14.57, postgres: 8.98, engine: 11.95 },
  turn: { worker: 9.82, postgres: 6.08, engine: 1.41 },
};

/** Cores that are busy while nothing happens. Those of 2026-11-17 are in the figures above. */
export const IDLE: Effort = { worker: 0, postgres: 0, engine: 0 };

/** The same, 2026-11-17: kilobytes of write-ahead log. */
export const WAL_KB = { run: 7.77, turn: 9.35 } as const;

/** `npm run bench -- layout --turns 400`, 2026-11-17. */
export const STORED = { turnKb: 6.66, turnRows: 7, turnStatements: 4.06, shortRunStatements: 9 };

/**
 * `npm run bench -- parked --runs 200 --idle 2`, 2026-11-17. So few runs hardly fill the first page
 * of each partition and index, which makes the kilobytes too high.
 */
export const PARKED = { databaseKb: 30.6, engineTimers: 1 };

/** `npm run bench -- repair`, 2026-11-16, two cores with nothing else to do. */
export const REPAIRED_PER_SECOND = 1_086;

/** The same, 2026-11-17: all killed at once, until a worker is ready. */
export const RESTART_S = 15.28;

/** `npm run bench -- subscribers`, as docs/operate/server.md has it. */
export const STREAM_KB = 30;
