import type { RunProjection } from "@turnseal/folds";
import { bindTools, createRegistry, SEMANTICS } from "@turnseal/kernel";
import {
  chainEvents,
  memoryStores,
  SAMPLE_CONTENTS,
  sampleEvent,
  systemClock,
} from "@turnseal/ports";
import type { RunSpec } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { findObstacle } from "./find-obstacle.ts";

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";

/** A log of one event, which may be the begin of a turn under some semantics. */
async function openFolder(semantics: number) {
  const stores = { ...memoryStores(systemClock), close: () => {} };
  const { epoch, head } = await stores.log.takeEpoch(run);
  await stores.blobs.keepKey(run, new Uint8Array(32).fill(1));
  const content = { ...SAMPLE_CONTENTS.turnStarted, semantics };
  const events = chainEvents([sampleEvent("turn.started", content)], { run, epoch });
  await stores.log.append({ run, epoch, after: head, events, blobs: [], consumed: [] });
  return { path: "", stores };
}

const state = (more: Partial<RunProjection>): RunProjection =>
  ({ run, sequence: 1, stopped: null, openTurn: { from: 1 }, ...more }) as RunProjection;

test("an open turn of other semantics cannot go on here, and one of ours can", async () => {
  const ours = await openFolder(SEMANTICS);
  expect(await findObstacle(ours, { run, projection: state({}) })).toBeUndefined();
  const other = await openFolder(SEMANTICS + 1);
  expect(await findObstacle(other, { run, projection: state({}) })).toEqual({
    why: "unspoken",
    what: `semantics ${SEMANTICS + 1}`,
  });
  expect(await findObstacle(other, { run, projection: state({ openTurn: null }) })).toBeUndefined();
  const stopped = state({ stopped: "failed" });
  expect(await findObstacle(other, { run, projection: stopped })).toBeUndefined();
});

test("a log that lost events, and content that was erased, are obstacles", async () => {
  const folder = await openFolder(SEMANTICS);
  expect(await findObstacle(folder, { run, projection: state({ sequence: 2 }) })).toEqual({
    why: "stale",
  });
  await folder.stores.blobs.erase(run);
  expect(await findObstacle(folder, { run, projection: state({}) })).toEqual({
    why: "content-erased",
  });
});

test("what the last worker lacked is an obstacle until somebody has gone on", async () => {
  const folder = await openFolder(SEMANTICS);
  const lack = { cause: "loop-missing", what: "pay 1.0.0" } as const;
  const blocked = { ...lack, at: "2026-01-01T00:00:00.000Z" };
  const projection = state({ blocked, spec: null });
  expect(await findObstacle(folder, { run, projection })).toEqual({
    why: "loop-missing",
    what: "pay 1.0.0",
  });
});

test("with loops to compare with, they decide", async () => {
  const folder = await openFolder(SEMANTICS);
  const pinned = { "pay 1.0.0": { id: "pay", version: "1.0.0", digest: "sha256:0" } };
  const spec = { loop: "pay", version: "1.0.0", pinned } as unknown as RunSpec;
  const here = { registry: createRegistry(), tools: bindTools({}) };
  const known = { run, projection: state({ spec, blocked: null }) };
  expect(await findObstacle(folder, known)).toBeUndefined();
  expect(await findObstacle(folder, known, here)).toEqual({
    why: "loop-missing",
    what: "pay 1.0.0",
  });
});
