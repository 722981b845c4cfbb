/** Rounds of one prompt when its loop does not say. */
export const ROUNDS_DEFAULT = 4;
/** Rounds that a prompt may ask for. */
export const ROUNDS_MAX = 32;
