import { strict as assert } from "node:assert";
import { EMPTY_HEAD, hashEvent, type LoopEvent } from "@turnseal/protocol";
import { isVendorEventType } from "@turnseal/protocol/trace";
import { OTHER_RUN, SAMPLE_RUN, sampleAppend, takeAndAppend } from "../sample-append.ts";
import type { StoresSentences } from "../stores-subject.ts";
import { READ_EVENTS_MAX } from "./event-log.ts";

/** Reads of a log. */
export const readSentences: StoresSentences = {
  "events are read in order, page by page, without gaps": async ({ stores }) => {
    const { events } = await takeAndAppend(stores, { count: 10 });
    const { log } = stores;
    assert.deepEqual(await log.read(SAMPLE_RUN, 1, 4), events.slice(0, 4));
    assert.deepEqual(await log.read(SAMPLE_RUN, 5, 4), events.slice(4, 8));
    assert.deepEqual(await log.read(SAMPLE_RUN, 9, 4), events.slice(8));
    assert.deepEqual(await log.read(SAMPLE_RUN, 11, 4), []);
    assert.deepEqual(await log.read(SAMPLE_RUN, -3, 4), events.slice(0, 4));
  },
  "a read answers at most its limit, and never more than READ_EVENTS_MAX": async ({ stores }) => {
    const { events } = await takeAndAppend(stores, { count: READ_EVENTS_MAX + 1 });
    const { log } = stores;
    const whole = events.slice(0, READ_EVENTS_MAX);
    assert.deepEqual(await log.read(SAMPLE_RUN, 1), whole);
    assert.deepEqual(await log.read(SAMPLE_RUN, 1, READ_EVENTS_MAX), whole);
    assert.deepEqual(await log.read(SAMPLE_RUN, 1, READ_EVENTS_MAX + 1), whole);
    assert.deepEqual(await log.read(SAMPLE_RUN, READ_EVENTS_MAX + 1), events.slice(-1));
    assert.deepEqual(await log.read(SAMPLE_RUN, 1, 1), events.slice(0, 1));
    assert.deepEqual(await log.read(SAMPLE_RUN, 1, 0), []);
    assert.deepEqual(await log.read(SAMPLE_RUN, 1, -1), []);
  },
  "an event comes back exactly as it was given": async ({ stores: { log } }) => {
    const { epoch } = await log.takeEpoch(SAMPLE_RUN);
    const [sample] = sampleAppend({ epoch }).events;
    const type: string = "acme.odd";
    assert.ok(sample !== undefined && isVendorEventType(type));
    const { hash: _, ...plain } = sample;
    const unsigned = {
      ...plain,
      type,
      turn: 1,
      call: "3a5c1d11-0b0e-4d53-a1f0-0c2f6f0f9a01",
      content: { text: 'ä💡\u0000\n"', zero: 0, list: [null, true, { "": [] }], far: 2 ** 53 - 1 },
    };
    const event: LoopEvent = { ...unsigned, hash: hashEvent(unsigned) };
    await log.append({ ...sampleAppend({ epoch }), events: [event] });
    const [read] = await log.read(SAMPLE_RUN, 1);
    assert.deepEqual(read, event);
    assert.ok(read !== undefined && hashEvent(read) === event.hash);
  },
  "a run has only its own events": async ({ stores }) => {
    const mine = await takeAndAppend(stores, { note: "mine" });
    const other = await takeAndAppend(stores, { run: OTHER_RUN, note: "other" });
    assert.deepEqual(await stores.log.read(SAMPLE_RUN, 1), mine.events);
    assert.deepEqual(await stores.log.read(OTHER_RUN, 1), other.events);
  },
  "a run that nobody knows has no events": async ({ stores: { log } }) => {
    assert.deepEqual(await log.read(SAMPLE_RUN, 1), []);
    const { head } = await log.takeEpoch(SAMPLE_RUN);
    assert.deepEqual(head, EMPTY_HEAD);
    assert.deepEqual(await log.read(SAMPLE_RUN, 1), []);
  },
};
