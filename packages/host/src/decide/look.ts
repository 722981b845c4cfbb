/** A request to the engine to look at a run, and how many fit in one call. */
export interface Look {
  readonly run: string;
  /** The delay of the look; at once if absent. */
  readonly delayMs?: number;
}

/** One message asks for at most so many: the engine keeps a line of its journal for each. */
export const LOOKS_MAX = 500;
/** A look that is due later than this comes early, and is repeated then. */
export const LOOK_DELAY_MS_MAX = 365 * 24 * 60 * 60 * 1000;
