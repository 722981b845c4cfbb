import { strict as assert } from "node:assert";
import { EMPTY_HEAD } from "@turnseal/protocol";
import {
  headAfter,
  OTHER_RUN,
  SAMPLE_RUN,
  sampleAppend,
  sampleMessage,
  takeAndAppend,
} from "../sample-append.ts";
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
  "whoever takes an epoch is told where the log stands": async ({ stores }) => {
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
};
