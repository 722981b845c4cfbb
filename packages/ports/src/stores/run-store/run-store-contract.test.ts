import { expect, test } from "vitest";
import { findMissed } from "../../find-missed.test.data.ts";
import { memorySubject } from "../memory-subject.test.data.ts";
import type { StoresSubject } from "../stores-subject.ts";
import { RUNS_LIST_MAX, type RunSnapshot, type RunStore } from "./run-store.ts";
import { runStoreContract } from "./run-store-contract.ts";

for (const { name, run } of runStoreContract({ create: () => memorySubject() })) test(name, run);

const withRuns = (change: (runs: RunStore) => Partial<RunStore>) => (): StoresSubject =>
  memorySubject(({ runs }) => ({ runs: { ...runs, ...change(runs) } }));

const broken: Readonly<Record<string, () => StoresSubject>> = {
  "the latest snapshot replaces the one before it": withRuns((runs) => {
    let first: RunSnapshot | undefined;
    return {
      read: async (run) => {
        first ??= await runs.read(run);
        return first;
      },
    };
  }),
  "an append without a snapshot leaves the one that is there": () =>
    memorySubject(({ log, runs }) => ({
      log: {
        ...log,
        append: async (append) => {
          if (append.snapshot === undefined) await runs.drop(append.run);
          return log.append(append);
        },
      },
    })),
  "a snapshot says by when to look, when the run ended, and what it waits for": withRuns(
    (runs) => ({
      list: async () =>
        (await runs.list()).map(({ run, sequence, state }) => ({ run, sequence, state })),
    }),
  ),
  "a snapshot that is dropped is gone, and the log stays": withRuns(() => ({
    drop: async () => {},
  })),
  "runs are listed in order of their ids, at most RUNS_LIST_MAX after one": withRuns((runs) => ({
    list: async (after) => {
      const page = await runs.list(after);
      const next = page.length === RUNS_LIST_MAX ? await runs.list(page.at(-1)?.run) : [];
      return [...page, ...next];
    },
  })),
  "a run without a snapshot is not listed": () => {
    const runs = new Set<string>();
    return memorySubject((stores) => ({
      inbox: {
        ...stores.inbox,
        put: (message) => {
          runs.add(message.run);
          return stores.inbox.put(message);
        },
      },
      runs: {
        ...stores.runs,
        list: async () => [...runs].map((run) => ({ run, sequence: 0, state: {} })),
      },
    }));
  },
};

test("every sentence finds a store that does not keep it", async () => {
  expect(await findMissed(runStoreContract, broken)).toEqual([]);
});
