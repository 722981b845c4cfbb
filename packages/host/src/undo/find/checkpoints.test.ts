import { foldRows, hashRows } from "@turnseal/folds/graph";
import { manualClock, memoryStores, type Stores } from "@turnseal/ports";
import type { GraphNodeRow } from "@turnseal/protocol/graph";
import { expect, test } from "vitest";
import { openKeyedRoot } from "../../scenarios/__fixtures__/keyed-root.ts";
import { openRollbackDesk } from "../../scenarios/__fixtures__/rollback-desk.ts";
import { CHECKPOINTS_MAX, findCheckpoint, listCheckpoints } from "./checkpoints.ts";

async function openDesk() {
  const site = openKeyedRoot("site");
  const desk = await openRollbackDesk({
    ...{ steps: ["one", "two"], edited: ["two"], roots: site.roots },
  });
  await desk.work();
  return { desk, site };
}

test("they are the beginning, the proposal of a plan, and the end of a turn", async () => {
  const { desk } = await openDesk();
  const { checkpoints, isCut } = await listCheckpoints(desk.stores, desk.run);
  expect(isCut).toBe(false);
  expect(checkpoints.map(({ at, turn }) => `${at} ${turn}`)).toEqual([
    "turn 0",
    "plan 1",
    "turn 1",
  ]);
  const [beginning, plan, end] = checkpoints;
  expect([beginning?.files, plan?.files]).toEqual([{}, {}]);
  const managed = (await desk.open().show(desk.run))?.artifacts?.["site"];
  expect(end?.files).toEqual({ site: managed?.page.digest });
  const states = checkpoints.map(({ stateHash }) => stateHash);
  expect(new Set(states).size).toBe(3);
  expect(states).not.toContain(undefined);
});

test("the state there is that of a graph whose log ends there", async () => {
  const { desk } = await openDesk();
  const { checkpoints } = await listCheckpoints(desk.stores, desk.run);
  for (const { sequence, stateHash } of checkpoints) {
    const events = (await desk.events(desk.run)).slice(0, sequence);
    const rows = new Map<string, GraphNodeRow>();
    for (const change of foldRows(desk.run, events))
      if (change.kind === "node") rows.set(change.node.id, change.node);
    expect(stateHash).toBe(hashRows(rows.values()));
  }
});

test("a rollback names the one that it goes back to, and its plan copies none", async () => {
  const { desk } = await openDesk();
  const beginning = await findCheckpoint(desk.stores, desk.run, 0);
  const answer = await desk.open().rollback(desk.run, { by: "ada" });
  if (answer.kind !== "proposed") throw new Error(answer.kind);
  expect(answer.list.checkpoint).toEqual(beginning);
  await desk.drive(answer.run);
  const [request] = await desk.open().requests(answer.run);
  expect(JSON.stringify(request?.request)).not.toContain("checkpoint");
  expect(await findCheckpoint(desk.stores, desk.run, 7)).toBeUndefined();
});

test("at most CHECKPOINTS_MAX are listed", async () => {
  const { desk } = await openDesk();
  const events = await desk.events(desk.run);
  const closed = events.filter(({ type }) => type === "turn.closed");
  const stores: Pick<Stores, "log"> = {
    log: {
      ...memoryStores(manualClock()).log,
      read: async (_, from, count = 1) =>
        from > 3_000 ? [] : Array.from({ length: count }, () => closed[0] as (typeof events)[0]),
    },
  };
  const { checkpoints, isCut } = await listCheckpoints(stores, desk.run);
  expect([checkpoints.length, isCut]).toEqual([CHECKPOINTS_MAX, true]);
});
