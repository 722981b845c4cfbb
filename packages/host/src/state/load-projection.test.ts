import { emptyProjection, FOLD } from "@turnseal/folds";
import { READ_EVENTS_MAX } from "@turnseal/ports";
import { canonicalize, type LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { openWorld, RUN } from "../scenarios/sample-world.test.data.ts";
import { collectEvents, loadProjection, readSnapshot } from "./load-projection.ts";

async function openRun() {
  const world = openWorld({ bounds: { goal: { path: "$.output.text", equals: "never" } } });
  await world.start();
  await world.advance();
  const head = await world.stores.log.readHead(RUN);
  if (head === undefined) throw new Error("the run has no log");
  return { ...world, head };
}

test("a snapshot that is dropped is folded again from the log, to the same state", async () => {
  const { stores, head } = await openRun();
  const before = await loadProjection(stores, RUN, head);
  const kept = await stores.runs.read(RUN);
  await stores.runs.drop(RUN);
  const after = await loadProjection(stores, RUN, head);
  expect(after).toEqual(before);
  if (after.kind !== "loaded") throw new Error(after.kind);
  expect(canonicalize(after.projection)).toBe(canonicalize(readSnapshot(kept)));
  expect(after.projection.stopped).toBe("turns-exhausted");
});

test("a snapshot that is behind is brought up to date", async () => {
  const { stores, head, events } = await openRun();
  const all = await events();
  for (const sequence of [1, 5, all.length - 1]) {
    const shorter = { ...stores.log, read: async () => all.slice(0, sequence) };
    const old = await loadProjection({ log: shorter, runs: emptyRuns(stores) }, RUN, head);
    if (old.kind !== "loaded") throw new Error(old.kind);
    const snapshot = { run: RUN, sequence, state: { ...old.projection, fold: FOLD } as never };
    const runs = { ...stores.runs, read: async () => snapshot };
    expect(await loadProjection({ ...stores, runs }, RUN, head)).toEqual(
      await loadProjection(stores, RUN, head),
    );
  }
});

type World = Awaited<ReturnType<typeof openRun>>;
const emptyRuns = (stores: World["stores"]) => ({ ...stores.runs, read: async () => undefined });

test("a snapshot that has seen more than the log is stale", async () => {
  const { stores, head } = await openRun();
  const older = { sequence: head.sequence - 1, hash: "" };
  expect(await loadProjection(stores, RUN, older)).toEqual({ kind: "stale" });
});

test("a log that was put back and went on otherwise is stale", async () => {
  const { stores, head, events } = await openRun();
  expect(await loadProjection(stores, RUN, { ...head, hash: "other" })).toEqual({ kind: "stale" });
  const last = (await events()).at(-1) as LoopEvent;
  const beyond: LoopEvent = { ...last, sequence: last.sequence + 1, previous: "other" };
  const log = { ...stores.log, read: async () => [beyond] };
  const grown = { sequence: beyond.sequence, hash: beyond.hash };
  expect(await loadProjection({ ...stores, log }, RUN, grown)).toEqual({ kind: "stale" });
});

test("events are read page by page, up to a page that is not full", async () => {
  const { stores, events } = await openRun();
  const [first] = await events();
  if (first === undefined) throw new Error("the run has no event");
  const all = Array.from({ length: READ_EVENTS_MAX + 1 }, (_, index) => ({
    ...first,
    sequence: index + 1,
  }));
  const asked: number[] = [];
  const log = {
    ...stores.log,
    read: async (_: string, from: number) => {
      asked.push(from);
      return all.slice(from - 1, from - 1 + READ_EVENTS_MAX);
    },
  };
  expect(await collectEvents(log, RUN, 1)).toHaveLength(READ_EVENTS_MAX + 1);
  expect(asked).toEqual([1, READ_EVENTS_MAX + 1]);
});

test.each([undefined, FOLD - 1, FOLD + 1, String(FOLD)])(
  "a snapshot of the fold %s is not read: the log is folded anew",
  async (fold) => {
    const { stores, head } = await openRun();
    const kept = await stores.runs.read(RUN);
    if (kept === undefined) throw new Error("there is no snapshot");
    const lying = { ...kept.state, stopped: null, turns: 99, hash: head.hash };
    const state = fold === undefined ? { ...lying } : { ...lying, fold };
    if (fold === undefined) Reflect.deleteProperty(state, "fold");
    const runs = { ...stores.runs, read: async () => ({ ...kept, state: state as never }) };
    expect(await loadProjection({ ...stores, runs }, RUN, head)).toEqual(
      await loadProjection(stores, RUN, head),
    );
    expect(await loadProjection({ ...stores, runs }, RUN, { sequence: 1, hash: "" })).toEqual({
      kind: "stale",
    });
  },
);

test("whoever changes the state of a run raises FOLD", () => {
  expect({ fold: FOLD, fields: Object.keys(emptyProjection(RUN)).sort() }).toEqual({
    fold: 20,
    fields: [
      ...["awaited", "blocked", "failures", "guidance", "hash", "input", "isCancelled", "lastAt"],
      ...["lastReceipt", "lastTurn", "notes", "openTurn", "policy", "run", "sequence", "signals"],
      ...["spec", "spending", "startedAt", "startedBy", "stopped", "threads", "trigger", "turns"],
    ],
  });
});
