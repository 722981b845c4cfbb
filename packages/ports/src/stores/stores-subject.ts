import type { Stores } from "./stores.ts";

/** The subject of the contracts of the five stores. */
export interface StoresSubject {
  readonly stores: Stores;
  /** The time of the store's own clock. */
  readonly readClock: () => number | Promise<number>;
}

/** Sentences of a contract of the stores, each with its check. */
export type StoresSentences = Readonly<Record<string, (subject: StoresSubject) => Promise<void>>>;
