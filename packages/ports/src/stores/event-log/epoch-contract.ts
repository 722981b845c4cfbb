import { strict as assert } from "node:assert";
import { EMPTY_HEAD } from "@turnseal/protocol";
import {
  headAfter,
  OTHER_RUN,
  SAMPLE_RUN,
  sampleAppend,
  sampleMessage,
  sampleSnapshot,
  sampleWaiting,
  takeAndAppend,
} from "../sample-append.ts";
import type { Stores } from "../stores.ts";
import type { StoresSentences } from "../stores-subject.ts";

/** How writers take turns. */
export const epochSentences: StoresSentences = {
  "an epoch is higher than every earlier one": async ({ stores: { log } }) => {
    let earlier = 0;
    for (let attempt = 0; attempt < 5; attempt++) {
      const { epoch } = await log.takeEpoch(SAMPLE_RUN);
      assert.ok(epoch > earlier, `${epoch} after ${earlier}`);
      earlier = epoch;
    }
  },
  "epochs that are taken at once are all different": async ({ stores: { log } }) => {
    const taken = await Promise.all(Array.from({ length: 50 }, () => log.takeEpoch(SAMPLE_RUN)));
    assert.equal(new Set(taken.map(({ epoch }) => epoch)).size, taken.length);
  },
  "taking an epoch answers with the head of the log": async ({ stores }) => {
    assert.deepEqual((await stores.log.takeEpoch(SAMPLE_RUN)).head, EMPTY_HEAD);
    const append = await takeAndAppend(stores, { count: 3 });
    assert.deepEqual((await stores.log.takeEpoch(SAMPLE_RUN)).head, headAfter(append));
  },
  "an append under an earlier epoch is fenced, and names the epoch that holds": async ({
    stores: { log },
  }) => {
    const { epoch: earlier } = await log.takeEpoch(SAMPLE_RUN);
    const { epoch } = await log.takeEpoch(SAMPLE_RUN);
    const answer = await log.append(sampleAppend({ epoch: earlier }));
    assert.deepEqual(answer, { kind: "fenced", epoch });
    assert.deepEqual(await log.read(SAMPLE_RUN, 1), []);
  },
  "an append under an epoch that nobody took is fenced": async ({ stores: { log } }) => {
    assert.equal((await log.append(sampleAppend({ epoch: 1 }))).kind, "fenced");
    const { epoch } = await log.takeEpoch(SAMPLE_RUN);
    assert.equal((await log.append(sampleAppend({ epoch: epoch + 1 }))).kind, "fenced");
    assert.deepEqual(await log.read(SAMPLE_RUN, 1), []);
  },
  "an append that was made is fenced when it comes again under an earlier epoch": async ({
    stores,
  }) => {
    const append = await takeAndAppend(stores);
    const { epoch } = await stores.log.takeEpoch(SAMPLE_RUN);
    assert.deepEqual(await stores.log.append(append), { kind: "fenced", epoch });
  },
  "an epoch of one run says nothing about another": async ({ stores: { log } }) => {
    const { epoch } = await log.takeEpoch(SAMPLE_RUN);
    await log.takeEpoch(OTHER_RUN);
    await log.takeEpoch(OTHER_RUN);
    assert.equal((await log.append(sampleAppend({ epoch }))).kind, "appended");
    assert.deepEqual(await log.read(OTHER_RUN, 1), []);
  },
  "a run has a head once an epoch of it was taken, and not before": async ({
    stores: { log, inbox },
  }) => {
    assert.equal(await log.readHead(SAMPLE_RUN), undefined);
    await inbox.put(sampleMessage("hello"));
    assert.equal(await log.readHead(SAMPLE_RUN), undefined);
    const { epoch } = await log.takeEpoch(SAMPLE_RUN);
    assert.deepEqual(await log.readHead(SAMPLE_RUN), { ...EMPTY_HEAD, epoch });
  },
  "whoever takes an epoch with a key finds what the stores would answer": async ({ stores }) => {
    const key = new Uint8Array(32).fill(7);
    await stores.inbox.put(sampleMessage("hello"));
    await stores.inbox.put(sampleMessage("again"));
    await expectFound(stores, key);
    await takeAndAppend(stores, {}, { snapshot: parked, consumed: ["hello"] });
    await expectFound(stores, new Uint8Array(32).fill(8));
    await takeAndAppend(stores, {}, { snapshot: ended });
    await expectFound(stores, key);
    assert.deepEqual(await stores.blobs.readKey(SAMPLE_RUN), key);
  },
  "whoever takes an epoch of an erased run finds no key, and gives it none": async ({ stores }) => {
    const key = new Uint8Array(32).fill(7);
    await takeAndAppend(stores, {}, { snapshot: parked });
    await stores.inbox.put(sampleMessage("hello"));
    await stores.blobs.erase(SAMPLE_RUN);
    await expectFound(stores, key);
    assert.equal(await stores.blobs.readKey(SAMPLE_RUN), undefined);
  },
  "an epoch that is taken with a key fences the earlier ones": async ({ stores: { log } }) => {
    const { epoch: earlier } = await log.takeEpoch(SAMPLE_RUN, new Uint8Array(32));
    const { epoch } = await log.takeEpoch(SAMPLE_RUN, new Uint8Array(32));
    assert.ok(epoch > earlier, `${epoch} after ${earlier}`);
    const answer = await log.append(sampleAppend({ epoch: earlier }));
    assert.deepEqual(answer, { kind: "fenced", epoch });
  },
};

const parked = {
  ...sampleSnapshot(1),
  dueAt: "2026-02-28T12:00:00.500Z",
  waiting: [1, 2].map(sampleWaiting),
};
const ended = { ...sampleSnapshot(2), endedAt: "2026-03-01T00:00:00.000Z" };

/** A store's `found` must equal what it answers when it is read. */
async function expectFound(stores: Stores, key: Uint8Array): Promise<void> {
  const { epoch, head, found } = await stores.log.takeEpoch(SAMPLE_RUN, key);
  assert.deepEqual(await stores.log.readHead(SAMPLE_RUN), { ...head, epoch });
  const kept = await stores.blobs.keepKey(SAMPLE_RUN, key);
  const snapshot = await stores.runs.read(SAMPLE_RUN);
  const inbox = await stores.inbox.peek(SAMPLE_RUN);
  const beside = snapshot?.endedAt === undefined ? { inbox } : {};
  if (found !== undefined) assert.deepEqual(found, { snapshot, key: kept, ...beside });
}
