import { strict as assert } from "node:assert";
import { bindContract, type ContractCase, type ContractOptions } from "../../contract.ts";
import {
  OTHER_RUN,
  SAMPLE_RUN,
  sampleMessage,
  sampleSnapshot,
  sampleWaiting,
  takeAndAppend,
} from "../sample-append.ts";
import type { StoresSentences, StoresSubject } from "../stores-subject.ts";
import { RUNS_LIST_MAX, type RunSnapshot } from "./run-store.ts";

/** The contract of every run store. */
export function runStoreContract(options: ContractOptions<StoresSubject>): ContractCase[] {
  return bindContract(sentences, options);
}

const sentences: StoresSentences = {
  "the latest snapshot replaces the one before it": async ({ stores }) => {
    assert.equal(await stores.runs.read(SAMPLE_RUN), undefined);
    await takeAndAppend(stores, {}, { snapshot: sampleSnapshot(1) });
    assert.deepEqual(await stores.runs.read(SAMPLE_RUN), sampleSnapshot(1));
    await takeAndAppend(stores, {}, { snapshot: sampleSnapshot(2) });
    assert.deepEqual(await stores.runs.read(SAMPLE_RUN), sampleSnapshot(2));
    assert.equal(await stores.runs.read(OTHER_RUN), undefined);
  },
  "an append without a snapshot leaves the one that is there": async ({ stores }) => {
    await takeAndAppend(stores, {}, { snapshot: sampleSnapshot(1) });
    await takeAndAppend(stores);
    assert.deepEqual(await stores.runs.read(SAMPLE_RUN), sampleSnapshot(1));
  },
  "a snapshot says by when to look, when the run ended, and what it waits for": async ({
    stores,
  }) => {
    const parked: RunSnapshot = {
      ...sampleSnapshot(1),
      dueAt: "2026-02-28T12:00:00.500Z",
      waiting: [1, 2, 5].map(sampleWaiting),
    };
    const answered = { ...parked, sequence: 2, waiting: [2, 5, 10].map(sampleWaiting) };
    const ended = { ...sampleSnapshot(3), endedAt: "2026-03-01T00:00:00.000Z" };
    for (const snapshot of [parked, answered, ended, parked]) {
      await takeAndAppend(stores, {}, { snapshot });
      assert.deepEqual(await stores.runs.read(SAMPLE_RUN), snapshot);
      assert.deepEqual(await stores.runs.list(), [snapshot]);
    }
  },
  "a snapshot that is dropped is gone, and the log stays": async ({ stores }) => {
    const { events } = await takeAndAppend(stores, {}, { snapshot: sampleSnapshot(1) });
    await stores.runs.drop(SAMPLE_RUN);
    await stores.runs.drop(OTHER_RUN);
    assert.equal(await stores.runs.read(SAMPLE_RUN), undefined);
    assert.deepEqual(await stores.runs.list(), []);
    assert.deepEqual(await stores.log.read(SAMPLE_RUN, 1), events);
    await takeAndAppend(stores, {}, { snapshot: sampleSnapshot(2) });
    assert.deepEqual(await stores.runs.read(SAMPLE_RUN), sampleSnapshot(2));
  },
  "runs are listed in order of their ids, at most RUNS_LIST_MAX after one": async ({ stores }) => {
    const ids = Array.from({ length: RUNS_LIST_MAX + 1 }, (_, index) => runId(index));
    for (const run of ids.toReversed())
      await takeAndAppend(stores, { run }, { snapshot: sampleSnapshot(1, run) });
    const snapshots = ids.map((run) => sampleSnapshot(1, run));
    assert.deepEqual(await stores.runs.list(), snapshots.slice(0, RUNS_LIST_MAX));
    assert.deepEqual(await stores.runs.list(ids[0]), snapshots.slice(1));
    assert.deepEqual(await stores.runs.list(ids[RUNS_LIST_MAX - 1]), snapshots.slice(-1));
    assert.deepEqual(await stores.runs.list(ids[RUNS_LIST_MAX]), []);
  },
  "a run without a snapshot is not listed": async ({ stores }) => {
    await stores.inbox.put(sampleMessage("hello"));
    await takeAndAppend(stores, { run: OTHER_RUN });
    assert.deepEqual(await stores.runs.list(), []);
  },
};

function runId(index: number): string {
  return `${index.toString(16).padStart(8, "0")}-8f3a-4c0e-9b7d-0d5f0a1b2c3d`;
}
