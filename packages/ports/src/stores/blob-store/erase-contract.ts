import { strict as assert } from "node:assert";
import {
  headAfter,
  OTHER_RUN,
  SAMPLE_RUN,
  sampleAppend,
  sampleBlob,
  sampleMessage,
  sampleReceipt,
  takeAndAppend,
} from "../sample-append.ts";
import type { StoresSentences } from "../stores-subject.ts";

const key = new Uint8Array(32).fill(7);

/** The effects of an erasure. */
export const eraseSentences: StoresSentences = {
  "an erasure removes every blob and the key": async ({ stores }) => {
    const [put, appended] = [sampleBlob("put"), sampleBlob("appended")];
    await stores.blobs.keepKey(SAMPLE_RUN, key);
    await stores.blobs.put(SAMPLE_RUN, put);
    await takeAndAppend(stores, {}, { blobs: [appended] });
    await stores.blobs.erase(SAMPLE_RUN);
    assert.equal(await stores.blobs.read(SAMPLE_RUN, put.digest), undefined);
    assert.equal(await stores.blobs.read(SAMPLE_RUN, appended.digest), undefined);
    assert.equal(await stores.blobs.readKey(SAMPLE_RUN), undefined);
    assert.equal(await stores.blobs.keepKey(SAMPLE_RUN, key), undefined);
  },
  "an erasure removes what waits in the inbox": async ({ stores: { inbox, blobs } }) => {
    await inbox.put(sampleMessage("hello"));
    await blobs.erase(SAMPLE_RUN);
    assert.deepEqual(await inbox.peek(SAMPLE_RUN), []);
  },
  "after an erasure the run gets no key and no blob, put or appended": async ({ stores }) => {
    const { blobs, log } = stores;
    await blobs.erase(SAMPLE_RUN);
    assert.equal(await blobs.keepKey(SAMPLE_RUN, key), undefined);
    const [put, appended] = [sampleBlob("put"), sampleBlob("appended")];
    await blobs.put(SAMPLE_RUN, put);
    const append = await takeAndAppend(stores, {}, { blobs: [appended] });
    assert.equal(await blobs.read(SAMPLE_RUN, put.digest), undefined);
    assert.equal(await blobs.read(SAMPLE_RUN, appended.digest), undefined);
    assert.deepEqual(await log.read(SAMPLE_RUN, 1), append.events);
  },
  "the log and the receipts stay as they were, and the log goes on": async ({ stores }) => {
    const receipt = sampleReceipt(1);
    const before = await takeAndAppend(stores, { count: 3 }, { receipt });
    await stores.blobs.erase(SAMPLE_RUN);
    assert.deepEqual(await stores.log.read(SAMPLE_RUN, 1), before.events);
    assert.deepEqual(await stores.receipts.read(SAMPLE_RUN, 1), receipt);
    const after = headAfter(before);
    const next = await stores.log.append(sampleAppend({ epoch: before.epoch, after }));
    assert.equal(next.kind, "appended");
  },
  "an erasure of one run leaves the others": async ({ stores: { blobs, inbox } }) => {
    const blob = sampleBlob("hello");
    for (const run of [SAMPLE_RUN, OTHER_RUN]) await blobs.put(run, blob);
    await inbox.put(sampleMessage("hello", OTHER_RUN));
    await blobs.keepKey(OTHER_RUN, key);
    await blobs.erase(SAMPLE_RUN);
    await blobs.erase(SAMPLE_RUN);
    assert.ok((await blobs.read(OTHER_RUN, blob.digest)) !== undefined);
    assert.ok((await blobs.keepKey(OTHER_RUN, key)) !== undefined);
    assert.equal((await inbox.peek(OTHER_RUN)).length, 1);
  },
};
