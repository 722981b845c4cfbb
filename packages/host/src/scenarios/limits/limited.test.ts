// A run whose tenant has reached a limit: it waits, says so, and goes on by itself.
import { manualClock, memoryStores, type Signer, seededIds } from "@turnseal/ports";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { advance } from "../../advance.ts";
import { bindHost } from "../../bind-host.ts";
import { LIMITED_PAUSE_MS, lookAtOf } from "../../decide/look-at.ts";
import type { AskedTurn, ReachedLimit } from "../../host-ports.ts";
import { createLocalHost } from "../../local/local-host.ts";

const any = jsonSchema<object>(true);
const signer: Signer = { keyId: "k", issuer: "ci", sign: async () => new Uint8Array(64) };
const grant = { grantor: "ada", tools: ["local.work"], budget: {} };
const HOUR_MS = 3_600_000;

async function openRun(bounds: { readonly deadlineAt?: string; readonly turnsMax?: number } = {}) {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const asked: AskedTurn[] = [];
  const state: { reached: ReachedLimit | undefined; acted: number } = {
    ...{ reached: undefined, acted: 0 },
  };
  const work = defineTool({
    ...{ id: "work", version: "1.0.0", input: any, output: any, effect: "idempotent", build: "1" },
    run: () => {
      state.acted += 1;
      return { isDone: false };
    },
  });
  const parts = { loops: [work], stores, signer, clock, ids: seededIds("limit") };
  const host = createLocalHost(parts);
  const turnLimits = {
    find: async (turn: AskedTurn) => {
      asked.push(turn);
      return state.reached;
    },
  };
  const goal = { path: "$.output.isDone", equals: true };
  const run = await host.start(work, {}, { grant, bounds: { turnsMax: 3, goal, ...bounds } });
  const ports = bindHost({ ...parts, turnLimits });
  const look = () => advance(run, ports);
  const countBlocked = async () =>
    (await stores.log.read(run, 1)).filter(({ type }) => type === "run.blocked").length;
  return { clock, stores, state, asked, host, run, look, countBlocked };
}

test("no turn begins, it is said once, and the run goes on when the limit is over", async () => {
  const { clock, state, asked, host, run, look, countBlocked, stores } = await openRun();
  const untilMs = clock.now() + HOUR_MS;
  state.reached = { what: "tokens-per-day", untilMs };
  for (let looks = 0; looks < 3; looks++) {
    const { dues } = await look();
    expect(dues).toMatchObject({ kind: "blocked", why: "limited", what: "tokens-per-day" });
  }
  const until = new Date(untilMs).toISOString();
  expect(await host.show(run)).toMatchObject({
    ...{ stopped: null, turns: 0, blocked: { cause: "limited", what: "tokens-per-day", until } },
  });
  expect([await countBlocked(), state.acted]).toEqual([1, 0]);
  // It is not overdue before.
  expect((await stores.runs.read(run))?.dueAt).toBe(until);
  expect(asked.at(-1)?.waited).toEqual({ what: "tokens-per-day", untilMs });
  state.reached = undefined;
  expect((await look()).dues).toEqual({ kind: "done" });
  expect(await host.show(run)).toMatchObject({ stopped: "turns-exhausted", blocked: null });
  expect(state.acted).toBe(3);
  // Each turn was checked once, and the first also while it waited.
  expect(asked.map(({ isFirst }) => isFirst)).toEqual([true, true, true, true, false, false]);
});

test("a limit between turns leaves what was done, and another time is said", async () => {
  const { clock, state, asked, host, run, look, countBlocked } = await openRun();
  const find = asked.push.bind(asked);
  asked.push = (...turns) => {
    if (asked.length === 1) state.reached = { what: "money-per-day", untilMs: HOUR_MS };
    return find(...turns);
  };
  await look();
  expect(await host.show(run)).toMatchObject({ turns: 1, blocked: { what: "money-per-day" } });
  state.reached = { what: "money-per-day", untilMs: 2 * HOUR_MS };
  await look();
  await look();
  expect(await countBlocked()).toBe(2);
  clock.advance(1_000);
  state.reached = undefined;
  expect((await look()).dues).toEqual({ kind: "done" });
});

test("a cancel and a deadline end it all the same, and nothing is asked for", async () => {
  const first = await openRun();
  first.state.reached = { what: "tokens-per-day", untilMs: HOUR_MS };
  await first.look();
  await first.host.cancel(first.run, { key: "c", by: "ada" });
  expect((await first.look()).dues).toEqual({ kind: "done" });
  expect(await first.host.show(first.run)).toMatchObject({ stopped: "cancelled" });
  expect(first.asked).toHaveLength(1);
  const clock = manualClock();
  const deadlineAt = new Date(clock.now() + HOUR_MS).toISOString();
  const second = await openRun({ deadlineAt });
  second.state.reached = { what: "tokens-per-day", untilMs: clock.now() + 2 * HOUR_MS };
  await second.look();
  second.clock.advance(HOUR_MS);
  await second.look();
  expect(await second.host.show(second.run)).toMatchObject({ stopped: "deadline-passed" });
  expect([first.state.acted, second.state.acted]).toEqual([0, 0]);
});

test("it is looked at when the limit is over, and before that now and then", () => {
  const nowMs = 10 * HOUR_MS;
  const blocked = { kind: "blocked", why: "limited", what: "x", sinceMs: nowMs } as const;
  const at = (atMs?: number, sinceMs = nowMs) =>
    lookAtOf({ ...blocked, sinceMs, ...(atMs === undefined ? {} : { atMs }) }, nowMs);
  expect(at(nowMs + 500)).toBe(nowMs + 1_000);
  expect(at(nowMs + 5_000)).toBe(nowMs + 5_000);
  expect(at(nowMs + HOUR_MS)).toBe(nowMs + LIMITED_PAUSE_MS);
  expect(at(nowMs + HOUR_MS, 0)).toBe(nowMs + 600_000);
  // Over by this clock, and not by that of who keeps the limit.
  expect(at(nowMs - 1, 0)).toBe(nowMs + 1_000);
  expect(at(undefined)).toBe(nowMs + LIMITED_PAUSE_MS);
});
