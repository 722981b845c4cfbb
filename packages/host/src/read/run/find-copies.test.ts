import {
  chainEvents,
  memoryStores,
  SAMPLE_CONTENTS,
  type Stores,
  sampleEvent,
  systemClock,
} from "@turnseal/ports";
import { type LoopEvent, uuidFrom } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { COPIES_MAX, findCopies } from "./find-copies.ts";

const { runStarted, turnStarted, claimedHandoff, hit } = SAMPLE_CONTENTS;
const key = new Uint8Array(32);
const digest = `sha256:${"b".repeat(64)}` as const;
const pinned = { pay: { id: "pay", version: "1.0.0", digest, cache: "persistent" } } as const;

interface Lineage {
  readonly forkOf?: string;
  readonly handsTo?: readonly string[];
  readonly usesOf?: string;
}

async function write(stores: Stores, name: string, lineage: Lineage = {}): Promise<void> {
  const run = uuidFrom(name);
  const { forkOf, handsTo = [], usesOf } = lineage;
  await stores.blobs.keepKey(run, key);
  const { epoch, head: after } = await stores.log.takeEpoch(run);
  const spec = {
    ...runStarted.spec,
    ...(forkOf === undefined ? {} : { forkedFrom: { run: uuidFrom(forkOf), turn: 1 } }),
    ...(usesOf === undefined ? {} : { pinned }),
  };
  const from = { run: uuidFrom(usesOf ?? ""), turn: 1, call: "call" };
  const drafts: LoopEvent[] = [
    sampleEvent("run.started", { ...runStarted, spec }),
    sampleEvent("turn.started", turnStarted),
    ...(usesOf === undefined ? [] : [sampleEvent("cache.hit", { ...hit, from })]),
    ...handsTo.map((child) =>
      sampleEvent("action.claimed", { ...claimedHandoff, child: uuidFrom(child) }),
    ),
  ];
  const events = chainEvents(drafts, { run, epoch });
  const snapshot = { run, sequence: 0, state: {} };
  await stores.log.append({ run, epoch, after, events, blobs: [], consumed: [], snapshot });
}

const copiesOf = async (stores: Stores, name: string): Promise<string[]> =>
  (await findCopies(stores, uuidFrom(name))).map(({ run, kind }) => `${kind} ${run}`);

test("forks, handoffs and runs that used a cache are found, and theirs", async () => {
  const stores = memoryStores(systemClock);
  await write(stores, "root", { handsTo: ["child", "never started"] });
  await write(stores, "child");
  await write(stores, "fork", { forkOf: "root" });
  await write(stores, "fork of child", { forkOf: "child" });
  await write(stores, "user", { usesOf: "fork" });
  await write(stores, "stranger", { forkOf: "other", handsTo: ["unknown"], usesOf: "other" });
  const of = (kind: string, name: string): string => `${kind} ${uuidFrom(name)}`;
  expect(await copiesOf(stores, "root")).toEqual([
    of("handoff", "child"),
    of("fork", "fork"),
    of("fork", "fork of child"),
    of("cache", "user"),
  ]);
  expect(await copiesOf(stores, "user")).toEqual([]);
});

test("a circle ends, and at most COPIES_MAX are listed", async () => {
  const stores = memoryStores(systemClock);
  await write(stores, "one", { forkOf: "two" });
  await write(stores, "two", { forkOf: "one" });
  expect(await copiesOf(stores, "one")).toEqual([`fork ${uuidFrom("two")}`]);
  const many = Array.from({ length: COPIES_MAX + 1 }, (_, index) => `many ${index}`);
  for (const name of many) await stores.blobs.keepKey(uuidFrom(name), key);
  await write(stores, "wide", { handsTo: many });
  const first = await findCopies(stores, uuidFrom("wide"));
  expect(first).toHaveLength(COPIES_MAX);
  for (const { run } of first) await stores.blobs.erase(run);
  expect(await copiesOf(stores, "wide")).toEqual([`handoff ${uuidFrom(many.at(-1) ?? "")}`]);
});

test("a run that was erased holds nothing; those that took from it do", async () => {
  const stores = memoryStores(systemClock);
  await write(stores, "root");
  await write(stores, "fork", { forkOf: "root" });
  await write(stores, "fork of fork", { forkOf: "fork" });
  await stores.blobs.erase(uuidFrom("fork"));
  expect(await copiesOf(stores, "root")).toEqual([`fork ${uuidFrom("fork of fork")}`]);
});
