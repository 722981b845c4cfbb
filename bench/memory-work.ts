/** The memory measurements, their sizes and their stated limits. */
export type MemoryWork = "blob, memory" | "blob, SQLite" | "calls at once" | "runs at once";

export interface StatedMemory {
  /** Bytes of the blob, or how many there are at once. */
  readonly size: number;
  /** The most that the resident memory grows by. */
  readonly bytesMax: number;
}

const MB = 1_000_000;

/** A blob of this size is stored and read whole. */
export const LARGE_BLOB_BYTES = 100 * MB;
/** So many calls are open at the same moment. */
export const CALLS_AT_ONCE = 1_000;

export const statedMemory: Readonly<Record<MemoryWork, StatedMemory>> = {
  "blob, memory": { size: LARGE_BLOB_BYTES, bytesMax: 6 * LARGE_BLOB_BYTES },
  "blob, SQLite": { size: LARGE_BLOB_BYTES, bytesMax: 6 * LARGE_BLOB_BYTES },
  "calls at once": { size: CALLS_AT_ONCE, bytesMax: 300 * MB },
  "runs at once": { size: CALLS_AT_ONCE, bytesMax: 400 * MB },
};
