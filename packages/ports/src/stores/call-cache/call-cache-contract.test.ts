import { expect, test } from "vitest";
import { findMissed } from "../../find-missed.test.data.ts";
import { memorySubject } from "../memory-subject.test.data.ts";
import type { StoresSubject } from "../stores-subject.ts";
import type { CallCache } from "./call-cache.ts";
import { callCacheContract, sampleEntry } from "./call-cache-contract.ts";
import { memoryCallCache, REMEMBERED_CALLS_MAX } from "./memory-call-cache.ts";

for (const { name, run } of callCacheContract({ create: () => memorySubject() })) test(name, run);

const withCalls = (change: (calls: CallCache) => Partial<CallCache>) => (): StoresSubject =>
  memorySubject(({ calls = memoryCallCache() }) => ({ calls: { ...calls, ...change(calls) } }));

const broken: Readonly<Record<string, () => StoresSubject>> = {
  "an entry is found under its name, as it was put, and under no other": withCalls((calls) => ({
    put: async (entry, nowMs) => calls.put({ ...entry, from: { ...entry.from, turn: 1 } }, nowMs),
  })),
  "an entry is found until its time has come, and not from then on": withCalls((calls) => ({
    find: (name) => calls.find(name, 0),
  })),
  "of two entries under one name the later stays": withCalls((calls) => ({
    put: async (entry, nowMs) => {
      if ((await calls.find(entry.name, nowMs)) === undefined) await calls.put(entry, nowMs);
    },
  })),
  "entries that are put later leave those whose time has not come": () => {
    const calls = memoryCallCache(1);
    return memorySubject(() => ({ calls }));
  },
  "the first key of calls stays the tenant's": withCalls(() => ({ keepKey: async (key) => key })),
  "an erasure removes the entries that the run wrote, and leaves the others": () => {
    const calls = memoryCallCache();
    return memorySubject(() => ({ calls }));
  },
  "after an erasure nothing more is kept for the run": () => {
    const calls = memoryCallCache();
    return memorySubject(({ blobs }) => ({
      calls,
      blobs: { ...blobs, erase: async (run) => calls.forget(run) },
    }));
  },
};

test("every sentence finds an index that does not keep it", async () => {
  expect(await findMissed(callCacheContract, broken)).toEqual([]);
});

test("a process remembers REMEMBERED_CALLS_MAX calls, and forgets the oldest beyond", async () => {
  const calls = memoryCallCache();
  const name = (index: number): string => String(index).padStart(64, "0");
  for (let index = 0; index <= REMEMBERED_CALLS_MAX; index++)
    await calls.put(sampleEntry("1", { name: name(index) }), 0);
  expect(calls.count()).toBe(REMEMBERED_CALLS_MAX);
  expect(await calls.find(name(0), 0)).toBeUndefined();
  expect(await calls.find(name(1), 0)).toBeDefined();
});
