/** What an engine is asked for where a run should be looked at, and how much of it at once. */
export interface Look {
  readonly run: string;
  /** In how long; at once unless given. */
  readonly delayMs?: number;
}

/** One message asks for at most so many: the engine keeps a line of its journal for each. */
export const LOOKS_MAX = 500;
/** A look that is due later than this comes early, and is repeated by whoever looks. */
export const LOOK_DELAY_MS_MAX = 365 * 24 * 60 * 60 * 1000;
