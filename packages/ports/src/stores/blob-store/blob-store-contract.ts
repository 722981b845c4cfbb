import { strict as assert } from "node:assert";
import { bindContract, type ContractCase, type ContractOptions } from "../../contract.ts";
import { OTHER_RUN, SAMPLE_RUN, sampleBlob, takeAndAppend } from "../sample-append.ts";
import type { StoresSentences, StoresSubject } from "../stores-subject.ts";
import { INLINE_BLOB_BYTES_MAX } from "./blob-store.ts";
import { eraseSentences } from "./erase-contract.ts";

/** The contract of every blob store. */
export function blobStoreContract(options: ContractOptions<StoresSubject>): ContractCase[] {
  return bindContract({ ...contentSentences, ...eraseSentences }, options);
}

const contentSentences: StoresSentences = {
  "a blob is read as it was put": async ({ stores: { blobs } }) => {
    for (const text of ["", "hello", "x".repeat(3 * 1024 * 1024)]) {
      const blob = sampleBlob(text);
      await blobs.put(SAMPLE_RUN, blob);
      expectBytes(await blobs.read(SAMPLE_RUN, blob.digest), blob.bytes);
    }
  },
  "putting a blob again changes nothing": async ({ stores }) => {
    const blob = sampleBlob("hello");
    await stores.blobs.put(SAMPLE_RUN, blob);
    await stores.blobs.put(SAMPLE_RUN, { ...blob, bytes: new Uint8Array([1]) });
    await takeAndAppend(stores, {}, { blobs: [{ ...blob, bytes: new Uint8Array([2]) }, blob] });
    expectBytes(await stores.blobs.read(SAMPLE_RUN, blob.digest), blob.bytes);
  },
  "bytes that change after they were put, or read, do not change the blob": async ({
    stores: { blobs },
  }) => {
    const blob = sampleBlob("hello");
    const bytes = blob.bytes.slice();
    await blobs.put(SAMPLE_RUN, { ...blob, bytes });
    bytes.fill(0);
    (await blobs.read(SAMPLE_RUN, blob.digest))?.fill(0);
    expectBytes(await blobs.read(SAMPLE_RUN, blob.digest), blob.bytes);
  },
  "a blob of INLINE_BLOB_BYTES_MAX bytes, and one of a byte more, travel in an append": async ({
    stores,
  }) => {
    const blobs = [INLINE_BLOB_BYTES_MAX, INLINE_BLOB_BYTES_MAX + 1].map((size) =>
      sampleBlob("x".repeat(size)),
    );
    await takeAndAppend(stores, {}, { blobs });
    for (const { digest, bytes } of blobs)
      expectBytes(await stores.blobs.read(SAMPLE_RUN, digest), bytes);
  },
  "a blob belongs to its run": async ({ stores: { blobs } }) => {
    const blob = sampleBlob("hello");
    assert.equal(await blobs.read(SAMPLE_RUN, blob.digest), undefined);
    await blobs.put(OTHER_RUN, blob);
    assert.equal(await blobs.read(SAMPLE_RUN, blob.digest), undefined);
    assert.equal(await blobs.read(OTHER_RUN, sampleBlob("other").digest), undefined);
  },
  "the first key stays the run's key": async ({ stores: { blobs } }) => {
    const keys = Array.from({ length: 50 }, (_, index) => new Uint8Array(32).fill(index));
    const kept = await Promise.all(keys.map((key) => blobs.keepKey(SAMPLE_RUN, key)));
    const [first] = kept;
    assert.ok(first !== undefined && keys.some((key) => key[0] === first[0]));
    for (const key of kept) expectBytes(key, first);
    const other = new Uint8Array(32).fill(99);
    expectBytes(await blobs.keepKey(OTHER_RUN, other), other);
  },
  "a key is read as it was kept, and asking for one keeps none": async ({ stores }) => {
    const { blobs, log } = stores;
    assert.equal(await blobs.readKey(SAMPLE_RUN), undefined);
    assert.equal(await log.readHead(SAMPLE_RUN), undefined);
    const key = new Uint8Array(32).fill(5);
    expectBytes(await blobs.keepKey(SAMPLE_RUN, key), key);
    expectBytes(await blobs.readKey(SAMPLE_RUN), key);
    assert.equal(await blobs.readKey(OTHER_RUN), undefined);
  },
};

/** Compares without a report of every byte, which takes seconds for a large blob. */
function expectBytes(actual: Uint8Array | undefined, expected: Uint8Array): void {
  assert.equal(actual?.length, expected.length);
  assert.ok(expected.every((byte, index) => actual?.[index] === byte));
}
