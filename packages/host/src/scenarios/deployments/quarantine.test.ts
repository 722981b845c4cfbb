// A run that takes its worker down each time that it acts.

import { applyEvent, emptyProjection } from "@turnseal/folds";
import {
  manualClock,
  memoryStores,
  type RateLimits,
  type Signer,
  seededIds,
} from "@turnseal/ports";
import type { Pause, Pauses } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { advance } from "../../advance.ts";
import { bindHost } from "../../bind-host.ts";
import {
  LOST_ATTEMPTS_MAX,
  LOST_PAUSE_MS_MAX,
  LOST_PAUSE_MS_MIN,
  lostPauseMs,
} from "../../decide/find-quarantine.ts";
import { lookAtOf } from "../../decide/look-at.ts";
import { toSnapshot } from "../../decide/to-snapshot.ts";
import { createLocalHost } from "../../local/local-host.ts";
import { readWaiting } from "../../read/run/waiting.ts";

const any = jsonSchema<object>(true);
const signer: Signer = { keyId: "k", issuer: "ci", sign: async () => new Uint8Array(64) };
const grant = { grantor: "ada", tools: ["local.burn"], budget: {} };

/** Workers that are lost while the tool acts: it never comes back, and nobody hears of them. */
async function openRun({ pauses }: { readonly pauses?: Pauses } = {}) {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const tool = { isDeadly: true, acted: 0 };
  const burn = defineTool({
    ...{ id: "burn", version: "1.0.0", input: any, output: any, effect: "idempotent" },
    ...{ build: "1", policy: { timeoutMs: 3_600_000 } },
    run: () => {
      tool.acted += 1;
      return tool.isDeadly ? new Promise<object>(() => {}) : {};
    },
  });
  const paused = pauses === undefined ? {} : { pauses };
  const parts = { loops: [burn], stores, signer, clock, ids: seededIds("burn"), ...paused };
  const host = createLocalHost(parts);
  const run = await host.start(burn, {}, { grant });
  const ports = bindHost(parts);
  const look = () => advance(run, ports, { quarantines: true });
  const lose = async (): Promise<void> => {
    const before = tool.acted;
    void look();
    for (let tick = 0; tool.acted === before && tick < 1_000; tick++) await Promise.resolve();
    expect(tool.acted).toBe(before + 1);
  };
  return { clock, stores, tool, host, run, look, lose };
}

type World = Awaited<ReturnType<typeof openRun>>;

async function loseAll({ clock, lose, look, run }: World): Promise<void> {
  for (let lost = 1; lost < LOST_ATTEMPTS_MAX; lost++) await lose();
  const { dues } = await look();
  const atMs = clock.now() + lostPauseMs(run);
  expect(dues).toEqual({ kind: "wake", atMs });
  clock.advance(lostPauseMs(run) - 1);
  expect((await look()).dues).toEqual({ kind: "wake", atMs });
  clock.advance(1);
  await lose();
}

test("after LOST_ATTEMPTS_MAX lost workers it is quarantined, and said once", async () => {
  const world = await openRun();
  await loseAll(world);
  const { clock, tool, host, run, look, stores } = world;
  for (let looks = 0; looks < 3; looks++) {
    const { dues } = await look();
    expect(dues).toMatchObject({ kind: "blocked", why: "quarantined", what: "local.burn" });
    // No look follows by itself.
    expect(lookAtOf(dues, clock.now())).toBeUndefined();
  }
  expect(tool.acted).toBe(LOST_ATTEMPTS_MAX);
  const events = await stores.log.read(run, 1);
  expect(events.filter(({ type }) => type === "run.blocked")).toHaveLength(1);
  expect(await host.show(run)).toMatchObject({ stopped: null, blocked: { cause: "quarantined" } });
});

test("runs that were lost together come back apart, within LOST_PAUSE_MS_MAX", () => {
  const most = (digits: string) => lostPauseMs(`${digits}-0000-4000-8000-000000000000`);
  expect(most("00000000")).toBe(LOST_PAUSE_MS_MIN);
  expect(most("80000000")).toBe((LOST_PAUSE_MS_MIN + LOST_PAUSE_MS_MAX) / 2);
  expect(most("ffffffff")).toBeLessThanOrEqual(LOST_PAUSE_MS_MAX);
  expect(lostPauseMs("no id")).toBe(LOST_PAUSE_MS_MAX);
});

test("it is in the list of what waits for a person, until it is lifted", async () => {
  const world = await openRun();
  await loseAll(world);
  const { host, run, look, stores, tool } = world;
  const { projection } = await look();
  if (projection === undefined) throw new Error("it has a state");
  const since = projection.blocked?.at;
  expect(toSnapshot(projection).waiting).toEqual([
    expect.objectContaining({ kind: "quarantined", id: run, name: "local.burn", askedAt: since }),
  ]);
  const { quarantined } = await readWaiting(stores, projection);
  expect(quarantined).toEqual({ turn: 1, since, name: "local.burn" });
  tool.isDeadly = false;
  await host.retry(run, { by: "bob" });
  const after = (await look()).projection;
  if (after === undefined) throw new Error("it has a state");
  expect(toSnapshot(after).waiting).toBeUndefined();
  expect(await readWaiting(stores, after)).not.toHaveProperty("quarantined");
});

test("a person's word lifts it once, and the next time takes another", async () => {
  const world = await openRun();
  await loseAll(world);
  const { clock, tool, host, run, look } = world;
  await look();
  expect(await host.retry(run, { by: "bob" })).toMatchObject({ kind: "stored" });
  clock.advance(1_000);
  await world.lose();
  clock.advance(LOST_PAUSE_MS_MAX);
  await world.lose();
  expect((await look()).dues).toMatchObject({ why: "quarantined" });
  const acted = tool.acted;
  tool.isDeadly = false;
  await host.retry(run, { by: "bob" });
  expect((await look()).dues).toEqual({ kind: "done" });
  expect(tool.acted).toBe(acted + 1);
  expect(await host.show(run)).toMatchObject({ stopped: "goal-reached", blocked: null });
});

test("somebody who may not lift it is told why, and nothing is stored", async () => {
  const world = await openRun();
  await loseAll(world);
  const { host, look, run, stores } = world;
  await look();
  const word = { by: "eve", mayLift: false };
  await expect(host.retry(run, word)).rejects.toMatchObject({
    code: "ROLE_MISSING",
    message: expect.stringMatching(/local\.burn.*role operator/),
  });
  expect(await stores.inbox.peek(run)).toEqual([]);
  expect((await look()).dues).toMatchObject({ why: "quarantined" });
});

test("how often it was lifted is known from the log", async () => {
  const world = await openRun();
  await loseAll(world);
  const { clock, host, look, run, stores } = world;
  await look();
  expect((await look()).projection).not.toHaveProperty("lifts");
  await host.retry(run, { by: "bob" });
  clock.advance(1_000);
  await world.lose();
  clock.advance(LOST_PAUSE_MS_MAX);
  await world.lose();
  const { projection } = await look();
  if (projection === undefined) throw new Error("it has a state");
  expect(projection.lifts).toBe(1);
  expect((await readWaiting(stores, projection)).quarantined).toMatchObject({ lifts: 1 });
  const folded = (await stores.log.read(run, 1)).reduce(applyEvent, emptyProjection(run));
  expect(folded.lifts).toBe(1);
});

test("a word of another turn, or of another quarantine, lifts nothing", async () => {
  const world = await openRun();
  await loseAll(world);
  const { stores, run, look } = world;
  await look();
  for (const body of [{ turn: 7 }, { turn: 1 }, { turn: 1, since: "2020-01-01T00:00:00.000Z" }])
    await stores.inbox.put({ run, key: JSON.stringify(body), kind: "retry", body });
  expect((await look()).dues).toMatchObject({ why: "quarantined" });
  const refused = (await stores.log.read(run, 1)).filter(
    (event) => event.type === "signal.received" && event.content.kind === "refused",
  );
  expect(refused).toHaveLength(3);
});

test("a cancel ends it, and nothing acts any more", async () => {
  const world = await openRun();
  await loseAll(world);
  const { tool, host, run, look } = world;
  await look();
  const { acted } = tool;
  await host.cancel(run, { key: "stop", by: "bob" });
  await look();
  expect(await host.show(run)).toMatchObject({ stopped: expect.any(String) });
  expect(tool.acted).toBe(acted);
});

test("a turn that has waited again and again for a limit has lost nobody by it", async () => {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const [limit, model] = [{ isFull: true }, { asked: 0 }];
  const rateLimits: RateLimits = {
    take: async () =>
      limit.isFull
        ? { kind: "full", retryAtMs: clock.now() + 60_000 }
        : { kind: "taken", release: () => {}, withdraw: () => {} },
  };
  const generate = () => {
    model.asked += 1;
    return new Promise<never>(() => {});
  };
  const ask = definePrompt({
    ...{ id: "ask", version: "1.0.0", input: any, output: any, template: "Say it" },
    policy: { routes: [{ id: "slow" }], rateLimit: { name: "chat", perMinute: 1 } },
  });
  const models = { slow: { defaultModel: "slow", generate } };
  const parts = { loops: [ask], models, stores, signer, clock, rateLimits, ids: seededIds("w") };
  const run = await createLocalHost(parts).start(ask, {}, { grant: { ...grant, tools: [] } });
  const ports = bindHost(parts);
  const look = () => advance(run, ports, { quarantines: true });
  for (let looks = 0; looks < LOST_ATTEMPTS_MAX; looks++) {
    expect((await look()).dues).toMatchObject({ kind: "wake" });
    clock.advance(60_000);
  }
  limit.isFull = false;
  const lose = async (asked: number): Promise<void> => {
    void look();
    for (let tick = 0; model.asked < asked && tick < 1_000; tick++) await Promise.resolve();
    expect(model.asked).toBe(asked);
  };
  // A worker that is lost, and one more: only then it is left alone, as any other run.
  await lose(1);
  await lose(2);
  expect((await look()).dues).toMatchObject({ kind: "wake" });
  clock.advance(LOST_PAUSE_MS_MAX);
  await lose(3);
  expect((await look()).dues).toMatchObject({ kind: "blocked", why: "quarantined" });
});

test("a turn that was paused again and again has lost nobody by it", async () => {
  const inForce: Pause[] = [];
  const world = await openRun({ pauses: async () => inForce });
  for (let times = 0; times < LOST_ATTEMPTS_MAX; times++) {
    const since = new Date(world.clock.now()).toISOString();
    inForce[0] = { scope: "tool", name: "local.burn", by: "ada", because: `${times}`, since };
    expect((await world.look()).dues).toMatchObject({ kind: "blocked", why: "paused" });
    world.clock.advance(60_000);
  }
  inForce.pop();
  await loseAll(world);
  expect((await world.look()).dues).toMatchObject({ why: "quarantined" });
});
