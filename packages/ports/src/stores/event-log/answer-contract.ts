import { strict as assert } from "node:assert";
import { checkChain, EMPTY_HEAD } from "@turnseal/protocol";
import {
  headAfter,
  OTHER_RUN,
  SAMPLE_RUN,
  sampleAppend,
  sampleSnapshot,
  sampleWaiting,
  takeAndAppend,
} from "../sample-append.ts";
import type { Stores } from "../stores.ts";
import type { StoresSentences } from "../stores-subject.ts";
import type { Append } from "./event-log.ts";

const WRITERS = 50;
const ROUNDS = 5;

/** The answers to an append. */
export const answerSentences: StoresSentences = {
  "an append moves the head to its last event": async ({ stores: { log } }) => {
    const { epoch } = await log.takeEpoch(SAMPLE_RUN);
    const append = sampleAppend({ epoch, count: 3 });
    assert.deepEqual(await log.append(append), { kind: "appended", inboxIsEmpty: true });
    assert.deepEqual(await log.readHead(SAMPLE_RUN), { ...headAfter(append), epoch });
  },
  "the same append again is a duplicate, and nothing changes": async ({ stores }) => {
    const first = await takeAndAppend(stores, { count: 2 });
    assert.deepEqual(await stores.log.append(first), { kind: "duplicate", inboxIsEmpty: true });
    const next = sampleAppend({ epoch: first.epoch, after: headAfter(first) });
    await stores.log.append(next);
    assert.equal((await stores.log.append(first)).kind, "duplicate");
    assert.deepEqual(await stores.log.read(SAMPLE_RUN, 1), [...first.events, ...next.events]);
  },
  "other content under the same sequence number is a conflict": async ({ stores }) => {
    const append = await takeAndAppend(stores);
    const other = sampleAppend({ epoch: append.epoch, note: "other" });
    await expectConflict(stores, other, append);
  },
  "more events than are there are a conflict": async ({ stores }) => {
    const append = await takeAndAppend(stores);
    await expectConflict(stores, sampleAppend({ epoch: append.epoch, count: 2 }), append);
  },
  "an append ahead of the head is a conflict": async ({ stores }) => {
    const append = await takeAndAppend(stores);
    const { sequence, hash } = headAfter(append);
    const ahead = sampleAppend({ epoch: append.epoch, after: { sequence: sequence + 1, hash } });
    await expectConflict(stores, ahead, append);
  },
  "an append that follows another hash is a conflict": async ({ stores }) => {
    const append = await takeAndAppend(stores);
    const after = { sequence: 1, hash: "0".repeat(64) };
    await expectConflict(stores, sampleAppend({ epoch: append.epoch, after }), append);
  },
  "an append without events throws": async ({ stores: { log } }) => {
    const { epoch } = await log.takeEpoch(SAMPLE_RUN);
    await assert.rejects(log.append(sampleAppend({ epoch, count: 0 })));
  },
  "an append that does not fit itself throws, and nothing changes": async ({ stores: { log } }) => {
    const { epoch } = await log.takeEpoch(SAMPLE_RUN);
    for (const append of misfits(epoch)) await assert.rejects(log.append(append));
    assert.deepEqual(await log.readHead(SAMPLE_RUN), { ...EMPTY_HEAD, epoch });
  },
  "of writers at once exactly one wins each sequence number": async ({ stores: { log } }) => {
    const { epoch } = await log.takeEpoch(SAMPLE_RUN);
    for (let round = 1; round <= ROUNDS; round++) {
      const { sequence = 0, hash = "" } = (await log.readHead(SAMPLE_RUN)) ?? {};
      const appends = Array.from({ length: WRITERS }, (_, writer) =>
        sampleAppend({ epoch, after: { sequence, hash }, note: `writer ${writer}` }),
      );
      const answers = await Promise.all(appends.map((append) => log.append(append)));
      const kinds = answers.map(({ kind }) => kind).sort();
      assert.deepEqual(kinds, ["appended", ...Array(WRITERS - 1).fill("conflict")]);
    }
    const events = await log.read(SAMPLE_RUN, 1);
    assert.equal(events.length, ROUNDS);
    assert.equal(checkChain(SAMPLE_RUN, EMPTY_HEAD, events).kind, "intact");
  },
  "of writers that take epochs at once each appends under its own or not at all": async ({
    stores: { log },
  }) => {
    const kinds = await Promise.all(
      Array.from({ length: WRITERS }, async (_, writer) => {
        const { epoch, head } = await log.takeEpoch(SAMPLE_RUN);
        const append = sampleAppend({ epoch, after: head, note: `writer ${writer}` });
        return (await log.append(append)).kind;
      }),
    );
    const events = await log.read(SAMPLE_RUN, 1);
    const appended = kinds.filter((kind) => kind === "appended").length;
    assert.ok(appended >= 1, "the last to take an epoch is fenced by nobody");
    assert.equal(events.length, appended);
    assert.equal(checkChain(SAMPLE_RUN, EMPTY_HEAD, events).kind, "intact");
  },
};

async function expectConflict({ log }: Stores, append: Append, present: Append): Promise<void> {
  const head = headAfter(present);
  assert.deepEqual(await log.append(append), { kind: "conflict", head });
  assert.deepEqual(await log.read(SAMPLE_RUN, 1), present.events);
  assert.deepEqual(await log.readHead(SAMPLE_RUN), { ...head, epoch: present.epoch });
}

function misfits(epoch: number): Append[] {
  const append = sampleAppend({ epoch, count: 3 });
  const [first, second, third] = append.events;
  if (first === undefined || second === undefined || third === undefined) return [];
  return [
    { ...append, events: [first, third] },
    { ...append, events: [second, third] },
    { ...append, events: [first, first] },
    { ...append, events: sampleAppend({ epoch, run: OTHER_RUN }).events },
    { ...append, events: sampleAppend({ epoch: epoch + 1 }).events },
    { ...append, events: [first, { ...second, previous: "0".repeat(64) }] },
    { ...append, snapshot: { run: SAMPLE_RUN, sequence: 4, state: {} } },
    { ...append, snapshot: { run: OTHER_RUN, sequence: 3, state: {} } },
    {
      ...append,
      snapshot: { ...sampleSnapshot(3), waiting: [sampleWaiting(2), sampleWaiting(1)] },
    },
    {
      ...append,
      snapshot: { ...sampleSnapshot(3), waiting: [sampleWaiting(2), sampleWaiting(2)] },
    },
  ];
}
