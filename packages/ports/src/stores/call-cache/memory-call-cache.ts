/** The calls that a process remembers: bounded by their number, the oldest go first. */
import type { CacheEntry, CallCache } from "./call-cache.ts";

/** Calls that one process remembers. */
export const REMEMBERED_CALLS_MAX = 10_000;

export interface MemoryCallCache extends CallCache {
  /** Forgets what a run wrote. */
  forget(run: string): void;
  /** How many calls are remembered. */
  count(): number;
}

export function memoryCallCache(
  entriesMax: number = REMEMBERED_CALLS_MAX,
  mayKeep: (run: string) => boolean = () => true,
): MemoryCallCache {
  const entries = new Map<string, CacheEntry>();
  let kept: Uint8Array | undefined;
  return {
    keepKey: async (key) => {
      kept ??= key.slice();
      return kept.slice();
    },
    find: async (name, nowMs) => {
      const entry = entries.get(name);
      if (entry === undefined) return undefined;
      if (nowMs < entry.expiresAtMs) return entry;
      entries.delete(name);
      return undefined;
    },
    put: async (entry) => {
      if (!mayKeep(entry.from.run)) return;
      // A map keeps its keys in the order of their arrival: a renewed one is the youngest.
      entries.delete(entry.name);
      entries.set(entry.name, entry);
      for (const oldest of entries.keys()) {
        if (entries.size <= entriesMax) return;
        entries.delete(oldest);
      }
    },
    forget: (run) => {
      for (const [name, { from }] of entries) if (from.run === run) entries.delete(name);
    },
    count: () => entries.size,
  };
}
