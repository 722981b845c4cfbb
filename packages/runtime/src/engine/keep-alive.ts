/** Notices a dead peer: it must answer each ping within the same time. */
export const KEEP_ALIVE_MS = 5_000;
