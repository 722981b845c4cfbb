/** Levels of handoffs that are followed; far more than a grant allows. */
export const FAMILY_DEPTH_MAX = 64;
