import { expect, test } from "vitest";
import { findMissed } from "../../find-missed.test.data.ts";
import { memorySubject } from "../memory-subject.test.data.ts";
import type { StoresSubject } from "../stores-subject.ts";
import { type BlobStore, INLINE_BLOB_BYTES_MAX } from "./blob-store.ts";
import { blobStoreContract } from "./blob-store-contract.ts";

for (const { name, run } of blobStoreContract({ create: () => memorySubject() })) test(name, run);

const withBlobs = (change: (blobs: BlobStore) => Partial<BlobStore>) => (): StoresSubject =>
  memorySubject(({ blobs }) => ({ blobs: { ...blobs, ...change(blobs) } }));

/** A store that keeps all blobs in a map of its own, for all runs alike. */
const withMap = (toKey: (run: string, digest: string) => string, isCopied: boolean) =>
  withBlobs(() => {
    const kept = new Map<string, Uint8Array>();
    return {
      put: async (run, { digest, bytes }) => {
        kept.set(toKey(run, digest), isCopied ? bytes.slice() : bytes);
      },
      read: async (run, digest) => kept.get(toKey(run, digest))?.slice(),
    };
  });

const broken: Readonly<Record<string, () => StoresSubject>> = {
  "a blob is read as it was put": withBlobs((blobs) => ({
    read: async (run, digest) => (await blobs.read(run, digest))?.slice(0, 1024),
  })),
  "putting a blob again changes nothing": withMap((run, digest) => run + digest, true),
  "bytes that change after they were put, or read, do not change the blob": withMap(
    (run, digest) => run + digest,
    false,
  ),
  "a blob of INLINE_BLOB_BYTES_MAX bytes, and one of a byte more, travel in an append": () =>
    memorySubject(({ log }) => ({
      log: {
        ...log,
        append: (append) =>
          log.append({
            ...append,
            blobs: append.blobs.filter(({ size }) => size <= INLINE_BLOB_BYTES_MAX),
          }),
      },
    })),
  "a blob belongs to its run": withMap((_, digest) => digest, true),
  "the first key stays the run's key": withBlobs(() => ({ keepKey: async (_, key) => key })),
  "a key is read as it was kept, and asking for one keeps none": withBlobs((blobs) => ({
    readKey: async (run) => blobs.keepKey(run, new Uint8Array(32)),
  })),
  "an erasure removes every blob and the key": withBlobs((blobs) => ({
    keepKey: async (run, key) => (await blobs.keepKey(run, key)) ?? key,
  })),
  "an erasure removes what waits in the inbox": withBlobs(() => ({ erase: async () => {} })),
  "after an erasure the run gets no key and no blob, put or appended": withMap(
    (run, digest) => run + digest,
    true,
  ),
  "the log and the receipts stay as they were, and the log goes on": () =>
    memorySubject(({ blobs, log }) => ({
      blobs: { ...blobs, erase: async (run) => void (await log.takeEpoch(run)) },
    })),
  "an erasure of one run leaves the others": withBlobs((blobs) => {
    const runs = new Set<string>();
    return {
      put: async (run, blob) => {
        runs.add(run);
        return blobs.put(run, blob);
      },
      erase: async () => {
        for (const run of runs) await blobs.erase(run);
      },
    };
  }),
};

test("every sentence finds a store that does not keep it", async () => {
  expect(await findMissed(blobStoreContract, broken)).toEqual([]);
});
