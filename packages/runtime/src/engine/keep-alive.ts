/** A peer that is gone is noticed by this: it is asked, and has as long to answer. */
export const KEEP_ALIVE_MS = 5_000;
