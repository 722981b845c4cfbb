import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RunLists } from "@turnseal/adapters/postgres";
import { emptyProjection, FOLD } from "@turnseal/folds";
import {
  chainEvents,
  memoryStores,
  SAMPLE_CONTENTS,
  type Stores,
  sampleEvent,
  systemClock,
} from "@turnseal/ports";
import type { JsonObject, StopReason } from "@turnseal/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { writeOrigin } from "../origins/origin.ts";
import type { StoreFolder } from "../store-folder.ts";
import { findNewest, findRun, findUnfinished } from "./find-run.ts";
import { listRuns } from "./list-runs.ts";

const path = mkdtempSync(join(tmpdir(), "turnseal-find-"));
afterAll(() => rmSync(path, { recursive: true }));
const stores = { ...memoryStores(systemClock), close: () => {} };
const folder: StoreFolder = { path, stores };

const [older, newer, fresh] = [
  "aa1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d",
  "ab1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d",
  "c01d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d",
];

/** Puts a run into the store, as an append leaves it. */
async function addRun(
  run: string,
  startedAt: string,
  stopped: StopReason | null,
  spec: object | null = null,
  to: Stores = stores,
): Promise<void> {
  const { epoch, head: after } = await to.log.takeEpoch(run);
  const started = sampleEvent("run.started", SAMPLE_CONTENTS.runStarted, { at: startedAt });
  const events = chainEvents([started], { run, epoch });
  const fields = { ...emptyProjection(run), fold: FOLD, startedAt, stopped, spec };
  const state = fields as unknown as JsonObject;
  const snapshot = { run, sequence: 1, state };
  await to.log.append({ run, epoch, after, events, blobs: [], consumed: [], snapshot });
}

describe("a run is found", () => {
  beforeAll(async () => {
    await addRun(older, "2026-01-01T00:00:00.000Z", null);
    await addRun(newer, "2026-01-02T00:00:00.000Z", "goal-reached");
    await writeOrigin(path, { run: fresh, loop: "refund", version: "1.0.0", from: [] });
  });

  const name = async (search: ReturnType<typeof findRun>): Promise<string> => {
    const found = await search;
    return found.kind === "found" ? found.known.run : found.message;
  };

  test("by its id, by the beginning of it, in either case", async () => {
    expect(await name(findRun(folder, older))).toBe(older);
    expect(await name(findRun(folder, "AA1"))).toBe(older);
    expect(await name(findRun(folder, "ab"))).toBe(newer);
  });

  test("as the last one, also before anybody has carried it", async () => {
    expect((await listRuns(folder)).map(({ run }) => run)).toEqual([fresh, newer, older]);
    expect(await name(findRun(folder, "last"))).toBe(fresh);
  });

  test("as the last one that no other run has handed to", async () => {
    const family = { path: join(path, "no-notes"), stores: memoryStores(systemClock) };
    const [root, child] = [older, newer];
    const parent = { run: root, turn: 1, sequence: 4, hash: `sha256:${"0".repeat(64)}` };
    await addRun(root, "2026-01-01T00:00:00.000Z", null, null, family.stores);
    await addRun(child, "2026-01-02T00:00:00.000Z", null, { parent }, family.stores);
    const open = { ...family, stores: { ...family.stores, close: () => {} } };
    expect(await name(findRun(open, "last"))).toBe(root);
    expect(await findNewest(open)).toBe(child);
  });

  test("not by what several begin with, nor by nothing", async () => {
    expect(await name(findRun(folder, "a"))).toMatch(/^2 runs begin with a: ab1d.*, aa1d/);
    expect(await name(findRun(folder, ""))).toBe("there is no run ");
    expect(await name(findRun(folder, "%"))).toBe("there is no run %");
  });

  test("as the newest that has not stopped", async () => {
    expect(await name(findUnfinished(folder))).toBe(fresh);
    const only = { path: join(path, "no-notes"), stores };
    expect(await name(findUnfinished(only))).toBe(older);
  });
});

test("under an engine a name that nothing begins with is no empty store", async () => {
  const [look, lookAll] = [async () => {}, async () => {}];
  const engine = {
    lists: {} as RunLists,
    look,
    lookAll,
    listReleases: async () => [],
    listArchived: async () => [],
    listKeys: async () => [],
  };
  const search = await findRun({ ...folder, engine }, "nope");
  expect(search).toMatchObject({ message: "there is no run nope" });
});

test("in an empty store nothing is found", async () => {
  const nothing = { path, stores: { ...memoryStores(systemClock), close: () => {} } };
  const bare = { ...nothing, path: join(path, "no-notes") };
  expect(await findRun(bare, "last")).toMatchObject({ kind: "unusable" });
  expect(await findUnfinished(bare)).toMatchObject({ message: "there are no runs" });
});
