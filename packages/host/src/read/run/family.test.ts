import { FAMILY_DEPTH_MAX } from "@turnseal/folds";
import {
  chainEvents,
  memoryStores,
  SAMPLE_CONTENTS,
  sampleEvent,
  systemClock,
} from "@turnseal/ports";
import { uuidFrom } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { readRun } from "../../state/read-run.ts";
import { findRootRun, readFamily } from "./family.ts";

const stores = memoryStores(systemClock);
const idOf = (level: number): string => uuidFrom(`level ${level}`);

/** A log of its own for each run, which names the run above it and claims the one below. */
async function writeChain(levels: number): Promise<void> {
  for (let level = 0; level <= levels; level++) {
    const run = idOf(level);
    const { epoch, head: after } = await stores.log.takeEpoch(run);
    const claimed = { run: idOf(level - 1), turn: 1, sequence: 3, hash: "" };
    const { runStarted, turnStarted, claimedHandoff } = SAMPLE_CONTENTS;
    const spec = { ...runStarted.spec, ...(level === 0 ? {} : { parent: claimed }) };
    const events = chainEvents(
      [
        sampleEvent("run.started", { ...runStarted, spec }),
        sampleEvent("turn.started", turnStarted),
        sampleEvent("action.claimed", { ...claimedHandoff, child: idOf(level + 1) }),
      ],
      { run, epoch },
    );
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
