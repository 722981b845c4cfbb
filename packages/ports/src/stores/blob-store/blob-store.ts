import type { BlobRef } from "@turnseal/protocol";

/** Content of a run, stored once under its keyed digest, and the key beside it. */
export interface BlobStore {
  /**
   * Stores a blob that is too large for an append; MUST be durable when it resolves. Storing it
   * again changes nothing. After an erasure it MUST store nothing; so must an append.
   */
  put(run: string, blob: Blob): Promise<void>;

  /** The bytes, or undefined when they were never stored or were erased. */
  read(run: string, digest: string): Promise<Uint8Array | undefined>;

  /** The run's key: the stored one, or else the given one. Undefined after an erasure. */
  keepKey(run: string, key: Uint8Array): Promise<Uint8Array | undefined>;

  /** The run's key, or undefined when none was kept or it was erased. MUST NOT change anything. */
  readKey(run: string): Promise<Uint8Array | undefined>;

  /** Whether the run has a key, where it may be known and the key itself may not be read. */
  hasKey?(run: string): Promise<boolean>;

  /**
   * Removes for good every blob of the run, its key, the content of its inbox, and its entries of
   * calls. The log and the receipts stay, and verify. MUST NOT leave the bytes behind where the
   * store keeps its data.
   */
  erase(run: string): Promise<void>;
}

/** Whether a run has its key, so that its content was not erased. */
export async function hasRunKey(
  blobs: Pick<BlobStore, "readKey" | "hasKey">,
  run: string,
): Promise<boolean> {
  return blobs.hasKey === undefined ? (await blobs.readKey(run)) !== undefined : blobs.hasKey(run);
}

export interface Blob extends BlobRef {
  readonly bytes: Uint8Array;
}

/** A blob up to this size travels inside an append; a larger one is stored before it. */
export const INLINE_BLOB_BYTES_MAX = 64 * 1024;
