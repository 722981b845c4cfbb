import type { Stores } from "./stores.ts";

/** What the contracts of the five stores are tried on. */
export interface StoresSubject {
  readonly stores: Stores;
  /** The time of the store's own clock. */
  readonly readClock: () => number | Promise<number>;
}

/** Sentences of a contract of the stores, each with its check. */
export type StoresSentences = Readonly<Record<string, (subject: StoresSubject) => Promise<void>>>;
