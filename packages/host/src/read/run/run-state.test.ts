import { describe, expect, test } from "vitest";
import type { Desk } from "../../scenarios/__fixtures__/refund-desk.ts";
import { openStage } from "../../scenarios/approvals/approval-stage.test.data.ts";
import { readRunState, STATE_REQUESTS_MAX } from "./run-state.ts";

const sourceOf = ({ host, stores }: Desk) => ({ ...host, stores });

describe("a run", () => {
  test("that nobody has driven yet is running", async () => {
    const { desk } = await openStage();
    expect(await readRunState(sourceOf(desk()), "00000000-0000-4000-8000-000000000000")).toEqual({
      status: "running",
      sequence: 0,
      turn: null,
      turns: 0,
      requests: [],
    });
  });

  test("whose log was taken, and has no event yet, is running and waits for nothing", async () => {
    const { desk } = await openStage();
    const run = "00000000-0000-4000-8000-000000000001";
    await desk().stores.log.takeEpoch(run);
    expect(await readRunState(sourceOf(desk()), run)).toMatchObject({
      ...{ status: "running", sequence: 0 },
    });
  });

  test("that waits says for what, and one that has ended says why", async () => {
    const stage = await openStage();
    const waiting = await readRunState(sourceOf(stage.desk()), stage.run);
    expect(waiting).toMatchObject({ status: "waiting", requests: [{ kind: "approval" }] });
    expect(waiting).not.toHaveProperty("stopped");
    await stage.approve();
    expect(await stage.desk().drive(stage.run)).toBe("goal-reached");
    const { sequence } = waiting;
    const done = await readRunState(sourceOf(stage.desk()), stage.run);
    expect(done).toMatchObject({ status: "done", stopped: "goal-reached", requests: [] });
    expect(done).not.toHaveProperty("cause");
    expect(done.sequence).toBeGreaterThan(sequence);
  });
});

test("a state names STATE_REQUESTS_MAX requests and no more", async () => {
  const stage = await openStage();
  const host = sourceOf(stage.desk());
  const known = await host.show(stage.run);
  const [asked] = known?.openTurn?.asked ?? [];
  if (known?.openTurn == null || asked === undefined) throw new Error("it waits for somebody");
  const many = Array.from({ length: STATE_REQUESTS_MAX + 1 }, () => asked);
  const projection = { ...known, openTurn: { ...known.openTurn, asked: many } };
  let reads = 0;
  const read: typeof host.stores.blobs.read = (...of) => {
    reads += 1;
    return host.stores.blobs.read(...of);
  };
  const stores = { ...host.stores, blobs: { ...host.stores.blobs, read } };
  const source = { ...host, stores, show: async () => projection, requests: undefined };
  expect((await readRunState(source as never, stage.run)).requests).toHaveLength(
    STATE_REQUESTS_MAX,
  );
  // The rules are read once, for their reasons.
  expect(reads).toBe(STATE_REQUESTS_MAX + 1);
  expect((await readRunState(host, stage.run)).requests).toHaveLength(1);
});
