import type { Ids } from "./ids.ts";

/** Ids from the platform's random source. */
export const randomIds: Ids = { create: () => globalThis.crypto.randomUUID() };
