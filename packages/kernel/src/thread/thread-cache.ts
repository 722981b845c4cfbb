/**
 * Threads that were just used, so that the next turn need not read them again.
 *
 * A thread is found by its run and by the digest of its whole content, which only the run's own key
 * makes. So a hit is exactly the thread of the log.
 */
import type { Thread } from "./thread.ts";

export interface ThreadCache {
  /** Takes the thread with this head out of the cache, so that no other call has it. */
  take(run: string, name: string, head: string): Thread | undefined;
  put(run: string, thread: Thread): void;
}

/** Bytes of messages that are kept at hand, together. */
export const THREAD_CACHE_BYTES_MAX = 64 * 1024 * 1024;

export function createThreadCache(bytesMax: number = THREAD_CACHE_BYTES_MAX): ThreadCache {
  const threads = new Map<string, { readonly thread: Thread; readonly bytes: number }>();
  let total = 0;
  const remove = (key: string): Thread | undefined => {
    const kept = threads.get(key);
    if (kept === undefined) return undefined;
    threads.delete(key);
    total -= kept.bytes;
    return kept.thread;
  };
  return {
    take: (run, name, head) => remove(keyOf(run, name, head)),
    put: (run, thread) => {
      const head = thread.head();
      if (head === null) return;
      const key = keyOf(run, thread.name, head);
      remove(key);
      const bytes = thread.wholeBytes();
      if (bytes > bytesMax) return;
      threads.set(key, { thread, bytes });
      total += bytes;
      // The oldest go first: a map keeps the order in which they came.
      for (const oldest of threads.keys()) {
        if (total <= bytesMax) return;
        remove(oldest);
      }
    },
  };
}

function keyOf(run: string, name: string, head: string): string {
  return `${run} ${head} ${name}`;
}
