import { strict as assert } from "node:assert";
import { RUNS_LIST_MAX } from "../run-store/run-store.ts";
import { OTHER_RUN, SAMPLE_RUN, sampleMessage, takeAndAppend } from "../sample-append.ts";
import type { StoresSentences } from "../stores-subject.ts";
import { INBOX_READ_MAX, type InboxMessage } from "./inbox.ts";

/** The reads of the run's writer. */
export const peekSentences: StoresSentences = {
  "a row says all of its message, and when the store received it": async ({
    stores: { inbox },
    readClock,
  }) => {
    const earliestMs = await readClock();
    await inbox.put(sampleMessage("hello"));
    const latestMs = await readClock();
    const [row] = await inbox.peek(SAMPLE_RUN);
    assert.ok(row !== undefined);
    const { receivedAt, ...message } = row;
    assert.deepEqual(message, sampleMessage("hello"));
    const receivedMs = Date.parse(receivedAt);
    assert.equal(new Date(receivedMs).toISOString(), receivedAt);
    assert.ok(earliestMs <= receivedMs && receivedMs <= latestMs, receivedAt);
  },
  "rows come in the order of their arrival": async ({ stores: { inbox } }) => {
    const keys = ["m", "z", "a", "k", "b"];
    for (const key of keys) await inbox.put(sampleMessage(key));
    assert.deepEqual(await peekKeys(inbox), keys);
  },
  "looking does not take a row away": async ({ stores: { inbox } }) => {
    assert.deepEqual(await inbox.peek(SAMPLE_RUN), []);
    await inbox.put(sampleMessage("hello"));
    const first = await inbox.peek(SAMPLE_RUN);
    assert.equal(first.length, 1);
    assert.deepEqual(await inbox.peek(SAMPLE_RUN), first);
  },
  "a look answers at most INBOX_READ_MAX rows, and the rest when those are consumed": async ({
    stores,
  }) => {
    const keys = Array.from({ length: INBOX_READ_MAX + 1 }, (_, index) => `key ${index}`);
    const last = keys.at(-1) ?? "";
    for (const key of keys.slice(0, -1)) await stores.inbox.put(sampleMessage(key));
    assert.deepEqual(await peekKeys(stores.inbox), keys.slice(0, INBOX_READ_MAX));
    await stores.inbox.put(sampleMessage(last));
    assert.deepEqual(await peekKeys(stores.inbox), keys.slice(0, INBOX_READ_MAX));
    await takeAndAppend(stores, {}, { consumed: keys.slice(0, INBOX_READ_MAX) });
    assert.deepEqual(await peekKeys(stores.inbox), [last]);
  },
  "a look for one kind answers its rows alone, also behind many others": async ({
    stores: { inbox },
  }) => {
    for (let row = 0; row <= INBOX_READ_MAX; row++) await inbox.put(sampleMessage(`row ${row}`));
    const cancel: InboxMessage = { run: SAMPLE_RUN, key: "cancel", kind: "cancel", body: {} };
    await inbox.put(cancel);
    const found = await inbox.peek(SAMPLE_RUN, "cancel");
    assert.deepEqual(
      found.map(({ key }) => key),
      ["cancel"],
    );
    assert.equal((await inbox.peek(SAMPLE_RUN, "signal")).length, INBOX_READ_MAX);
    assert.deepEqual(await inbox.peek(SAMPLE_RUN, "start"), []);
  },
  "whether a row waits is answered for all, and for one kind": async ({ stores }) => {
    const { inbox } = stores;
    const ask = async () => [
      await inbox.has(SAMPLE_RUN),
      await inbox.has(SAMPLE_RUN, "signal"),
      await inbox.has(SAMPLE_RUN, "cancel"),
    ];
    assert.deepEqual(await ask(), [false, false, false]);
    await inbox.put(sampleMessage("hello"));
    assert.deepEqual(await ask(), [true, true, false]);
    await inbox.put({ run: SAMPLE_RUN, key: "cancel", kind: "cancel", body: {} });
    assert.deepEqual(await ask(), [true, true, true]);
    await takeAndAppend(stores, {}, { consumed: ["hello"] });
    assert.deepEqual(await ask(), [true, false, true]);
    assert.equal(await inbox.has(OTHER_RUN), false);
  },
  "runs with rows are listed by their ids, also before their first event": async ({ stores }) => {
    const { inbox } = stores;
    assert.deepEqual(await inbox.listTold(), []);
    await inbox.put(sampleMessage("a", OTHER_RUN));
    for (const key of ["a", "b"]) await inbox.put(sampleMessage(key));
    assert.deepEqual(await inbox.listTold(), [SAMPLE_RUN, OTHER_RUN]);
    assert.deepEqual(await inbox.listTold(SAMPLE_RUN), [OTHER_RUN]);
    assert.deepEqual(await inbox.listTold(OTHER_RUN), []);
    await takeAndAppend(stores, {}, { consumed: ["a", "b"] });
    assert.deepEqual(await inbox.listTold(), [OTHER_RUN]);
  },
  "a list of such runs has at most RUNS_LIST_MAX, and the next begins after the last": async ({
    stores: { inbox },
  }) => {
    const end = SAMPLE_RUN.slice(4);
    const runs = Array.from(
      { length: RUNS_LIST_MAX + 1 },
      (_, index) => `${String(index).padStart(4, "0")}${end}`,
    );
    for (const run of runs.toReversed()) await inbox.put(sampleMessage("a", run));
    assert.deepEqual(await inbox.listTold(), runs.slice(0, RUNS_LIST_MAX));
    assert.deepEqual(await inbox.listTold(runs[RUNS_LIST_MAX - 1]), runs.slice(-1));
  },
  "a row that an append has consumed is gone, and the others stay": async ({ stores }) => {
    for (const key of ["a", "b", "c"]) await stores.inbox.put(sampleMessage(key));
    await stores.inbox.put(sampleMessage("b", OTHER_RUN));
    await takeAndAppend(stores, {}, { consumed: ["b", "unheard-of"] });
    assert.deepEqual(await peekKeys(stores.inbox), ["a", "c"]);
    assert.equal((await stores.inbox.peek(OTHER_RUN)).length, 1);
  },
};

async function peekKeys({ peek }: { peek(run: string): Promise<readonly { key: string }[]> }) {
  return (await peek(SAMPLE_RUN)).map(({ key }) => key);
}
