import { strict as assert } from "node:assert";
import {
  headAfter,
  SAMPLE_RUN,
  sampleAppend,
  sampleBlob,
  sampleMessage,
  sampleReceipt,
  sampleSnapshot,
  takeAndAppend,
} from "../sample-append.ts";
import type { Stores } from "../stores.ts";
import type { StoresSentences } from "../stores-subject.ts";
import type { Append } from "./event-log.ts";

/** The parts of one append. */
const carried: Partial<Append> = {
  blobs: [sampleBlob("one"), sampleBlob("two")],
  consumed: ["hello"],
  receipt: sampleReceipt(1),
  snapshot: sampleSnapshot(1),
};

/** An append is there as a whole or not at all. */
export const transactionSentences: StoresSentences = {
  "events, blobs, inbox marks, receipt and snapshot of an append are there together": async ({
    stores,
  }) => {
    await stores.inbox.put(sampleMessage("hello"));
    await takeAndAppend(stores, {}, carried);
    assert.deepEqual(await readCarried(stores), {
      blobs: carried.blobs?.map(({ bytes }) => bytes),
      pending: [],
      receipt: carried.receipt,
      snapshot: carried.snapshot,
    });
  },
  "an append that is not made leaves nothing of what it carries": async ({ stores }) => {
    await stores.inbox.put(sampleMessage("hello"));
    const { epoch: earlier } = await stores.log.takeEpoch(SAMPLE_RUN);
    const present = await takeAndAppend(stores);
    const fenced = await stores.log.append(sampleAppend({ epoch: earlier }, carried));
    assert.equal(fenced.kind, "fenced");
    const other = sampleAppend({ epoch: present.epoch, note: "other" }, carried);
    assert.equal((await stores.log.append(other)).kind, "conflict");
    await assert.rejects(
      stores.log.append({ ...sampleAppend({ epoch: present.epoch }, carried), events: [] }),
    );
    await expectNothing(stores);
  },
  "a second receipt of a turn throws, and leaves nothing of its append": async ({ stores }) => {
    await stores.inbox.put(sampleMessage("hello"));
    const first = await takeAndAppend(stores, {}, { receipt: sampleReceipt(1) });
    const after = headAfter(first);
    const forged = { ...sampleReceipt(1), id: `sha256:${"0".repeat(64)}` };
    const second = sampleAppend({ epoch: first.epoch, after }, { ...carried, receipt: forged });
    await assert.rejects(stores.log.append(second));
    assert.deepEqual(await stores.log.readHead(SAMPLE_RUN), { ...after, epoch: first.epoch });
    assert.deepEqual(await stores.receipts.read(SAMPLE_RUN, 1), sampleReceipt(1));
    await expectNothing(stores, sampleReceipt(1));
  },
  "an append says whether a row waits in the inbox": async ({ stores: { log, inbox } }) => {
    await inbox.put(sampleMessage("hello"));
    await inbox.put(sampleMessage("again"));
    const { epoch } = await log.takeEpoch(SAMPLE_RUN);
    const first = sampleAppend({ epoch }, { consumed: ["hello"] });
    assert.deepEqual(await log.append(first), { kind: "appended", inboxIsEmpty: false });
    assert.deepEqual(await log.append(first), { kind: "duplicate", inboxIsEmpty: false });
    const second = sampleAppend({ epoch, after: headAfter(first) }, { consumed: ["again"] });
    assert.deepEqual(await log.append(second), { kind: "appended", inboxIsEmpty: true });
    assert.deepEqual(await log.append(second), { kind: "duplicate", inboxIsEmpty: true });
  },
};

async function expectNothing(stores: Stores, receipt?: Append["receipt"]): Promise<void> {
  assert.deepEqual(await readCarried(stores), {
    blobs: [undefined, undefined],
    pending: ["hello"],
    receipt,
    snapshot: undefined,
  });
}

async function readCarried({ blobs, inbox, receipts, runs }: Stores): Promise<object> {
  return {
    blobs: await Promise.all(
      carried.blobs?.map(({ digest }) => blobs.read(SAMPLE_RUN, digest)) ?? [],
    ),
    pending: (await inbox.peek(SAMPLE_RUN)).map(({ key }) => key),
    receipt: await receipts.read(SAMPLE_RUN, 1),
    snapshot: await runs.read(SAMPLE_RUN),
  };
}
