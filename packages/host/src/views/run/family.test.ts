import { memoryStores, systemClock } from "@turnseal/ports";
import { hashEvent, type JsonObject, uuidFrom } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { readRun } from "../../projection/read-run.ts";
import { FAMILY_DEPTH_MAX, findRootRun, readFamily } from "./family.ts";

const stores = memoryStores(systemClock);
const idOf = (level: number): string => uuidFrom(`level ${level}`);

/** A log of its own for each run, which names the run above it and claims the one below. */
async function writeChain(levels: number): Promise<void> {
  for (let level = 0; level <= levels; level++) {
    const run = idOf(level);
    const { epoch, head: after } = await stores.log.takeEpoch(run);
    const parent: JsonObject = level === 0 ? {} : { parent: { run: idOf(level - 1) } };
    const spec = { loop: "l", version: "1.0.0", ...parent };
    const claim = { key: "k", action: "handoff", child: idOf(level + 1), loop: "l", reserve: {} };
    let previous = "";
    const events = [
      { type: "run.started", content: { spec } },
      { type: "turn.started", content: {} },
      { type: "action.claimed", content: claim },
    ].map((draft, index) => {
      const at = "2026-01-31T12:00:00.000Z";
      const actor = { kind: "kernel", id: "kernel" } as const;
      const place = { id: run, run, sequence: index + 1, epoch, at, turn: 1, actor, previous };
      const event = { ...place, ...draft };
      previous = hashEvent(event);
      return { ...event, hash: previous };
    });
    await stores.log.append({ run, epoch, after, events, blobs: [], consumed: [] });
  }
}

test("a run finds the first above it and all below it, up to FAMILY_DEPTH_MAX levels", async () => {
  await writeChain(FAMILY_DEPTH_MAX + 1);
  expect(await findRootRun(stores, idOf(FAMILY_DEPTH_MAX))).toBe(idOf(0));
  expect(await findRootRun(stores, idOf(FAMILY_DEPTH_MAX + 1))).toBe(idOf(1));
  const root = await readRun(stores, idOf(0));
  const family = root === undefined ? [] : await readFamily(stores, root);
  expect(family.map(({ run }) => run)).toEqual(
    Array.from({ length: FAMILY_DEPTH_MAX + 1 }, (_, level) => idOf(level)),
  );
});

test("a run that nobody knows is the first of its own", async () => {
  expect(await findRootRun(stores, uuidFrom("stranger"))).toBe(uuidFrom("stranger"));
});
