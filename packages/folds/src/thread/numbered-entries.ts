/** Entries by number: an entry replaces the one with its number, and all after it. */
import type { ContextEntry } from "@turnseal/protocol";

export interface FoldedEntry {
  readonly item: ContextEntry;
  /** The event that recorded it. */
  readonly since: number;
}

export interface NumberedEntries {
  put(at: number, items: readonly ContextEntry[], since: number): void;
  /** The number of the next one. */
  count(): number;
  /** The number of the first that this event recorded. */
  firstOf(since: number): number | undefined;
  listFrom(number: number): FoldedEntry[];
}

export function createNumberedEntries(): NumberedEntries {
  const entries: (FoldedEntry & { readonly number: number })[] = [];
  let count = 0;
  return {
    put: (at, items, since) => {
      while ((entries.at(-1)?.number ?? -1) >= at) entries.pop();
      for (const [index, item] of items.entries())
        entries.push({ number: at + index, item, since });
      count = at + items.length;
    },
    count: () => count,
    firstOf: (sequence) => entries.find(({ since }) => since === sequence)?.number,
    // Entries are dropped only here, since reading may begin before the shown ones.
    listFrom: (first) =>
      entries.filter(({ number }) => number >= first).map(({ item, since }) => ({ item, since })),
  };
}
