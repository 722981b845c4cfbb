import { manualClock, memoryStores, type Signer, StoreError, seededIds } from "@turnseal/ports";
import { defineComposite, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { bindHost } from "../bind-host.ts";
import { BLOCKED_PAUSE_MS, BLOCKED_PAUSE_MS_MAX } from "../decide/look-at.ts";
import type { HostPorts } from "../host-ports.ts";
import { createLocalHost } from "../local/local-host.ts";
import { listRollbacks } from "../undo/find/rollback-chain.ts";
import { chooseLane } from "./lane-key.ts";
import { createSlots } from "./slots.ts";
import { type StepOptions, type StepPlace, stepInSlot, stepRun } from "./step-run.ts";
import { LANE_WAIT_MS_MAX, RETRY_PAUSE_MS_MAX, WAIT_INLINE_MS } from "./timing.ts";

const RUN = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";

/** Ports without stores: reading a log would fail. */
function openWorker() {
  const clock = manualClock(1_000);
  const slots = createSlots(1);
  const ports = { clock } as unknown as HostPorts;
  const hold = () => slots.take({ tenant: "other", clock, waitMs: 0 });
  const step = (place: Partial<StepPlace> = {}, options: StepOptions = {}) =>
    stepInSlot(RUN, ports, options, { tenant: "acme", slots, from: "engine", ...place });
  return { clock, slots, hold, step };
}

const lane = chooseLane(RUN);

test("a message that finds no slot in time is to queue in the lane of its run", async () => {
  const { clock, slots, hold, step } = openWorker();
  await hold();
  const stepping = step();
  clock.advance(WAIT_INLINE_MS);
  expect(await stepping).toEqual({ lane, nowMs: 6_000 });
  expect(slots.inUse()).toBe(1);
  expect(slots.waiting()).toBe(0);
});

test("a message from a lane waits longer each time, up to LANE_WAIT_MS_MAX", async () => {
  const { clock, slots, hold, step } = openWorker();
  await hold();
  for (const [round, waitMs] of [
    [0, WAIT_INLINE_MS],
    [1, 2 * WAIT_INLINE_MS],
    [9, LANE_WAIT_MS_MAX],
    [1_000, LANE_WAIT_MS_MAX],
  ] as const) {
    const stepping = step({ from: { lane: round } });
    clock.advance(waitMs - 1);
    expect(slots.waiting()).toBe(1);
    clock.advance(1);
    expect(await stepping).toMatchObject({ lane });
  }
});

test("a tenant with a cap has no step taken outside of its lanes", async () => {
  const { clock, slots, step } = openWorker();
  expect(await step({ cap: 3 })).toEqual({ lane: chooseLane(RUN, 3), nowMs: clock.now() });
  expect(await step({ cap: 1 })).toEqual({ lane: 0, nowMs: clock.now() });
  expect(slots.inUse()).toBe(0);
  // From a lane it is: this one looks at a log that is not there.
  await expect(step({ cap: 3, from: "release" })).rejects.toThrow(TypeError);
});

test("an attempt that was given up while it waited does nothing", async () => {
  const { slots, hold, step } = openWorker();
  const held = await hold();
  const given = new AbortController();
  const stepping = step({}, { attempt: given.signal });
  given.abort();
  held?.();
  expect(await stepping).toEqual({ sequence: 0, continues: false, others: [], nowMs: 1_000 });
  expect(slots.inUse()).toBe(0);
});

test("a step that fails gives its slot back", async () => {
  const { slots, step } = openWorker();
  await expect(step()).rejects.toThrow();
  expect(slots.inUse()).toBe(0);
});

test("a run that fails by itself leaves its lane, and is looked at again", async () => {
  const { clock, slots, step } = openWorker();
  const told: unknown[] = [];
  const onFailed = (run: string, error: unknown) => told.push(run, error);
  const owed = await step({ from: { lane: 0 } }, { onFailed });
  expect(owed).toMatchObject({ continues: false, wakeAtMs: clock.now() + RETRY_PAUSE_MS_MAX });
  expect(told).toEqual([RUN, expect.any(TypeError)]);
  expect(slots.inUse()).toBe(0);
});

test("a store that is away is waited for in the lane", async () => {
  const clock = manualClock();
  const away = () => Promise.reject(new StoreError("STORE_UNREACHABLE", "the store is away"));
  const stores = { log: { takeEpoch: away } };
  const ports = { clock, ids: seededIds("away"), stores } as unknown as HostPorts;
  const place = { tenant: "acme", slots: createSlots(1), from: { lane: 0 } } as const;
  await expect(stepInSlot(RUN, ports, {}, place)).rejects.toThrow("the store is away");
});

test("a run that is blocked is looked at again, after as long as it has been so", async () => {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const signer: Signer = { keyId: "k", issuer: "ci", sign: async () => new Uint8Array(64) };
  const any = jsonSchema<object>(true);
  const pay = defineTool({ id: "pay", version: "1.0.0", input: any, output: any, run: () => ({}) });
  const host = createLocalHost({ loops: [pay], stores, signer, clock });
  const run = await host.start(pay, {}, { grant: { grantor: "a", tools: [], budget: {} } });
  const ports = bindHost({ loops: [], stores, signer, clock, ids: seededIds("blocked") });
  const told: string[] = [];
  const look = async (): Promise<number> => {
    const {
      wakeAtMs = 0,
      nowMs,
      continues,
    } = await stepRun(run, ports, {
      onBlocked: (_, { why, what }) => told.push(`${what} ${why}`),
    });
    expect(continues).toBe(false);
    return wakeAtMs - nowMs;
  };
  const longest = BLOCKED_PAUSE_MS_MAX;
  let blockedMs = 0;
  for (const nextMs of [0, BLOCKED_PAUSE_MS - 1, BLOCKED_PAUSE_MS, 60_000, longest, longest + 1]) {
    clock.advance(nextMs - blockedMs);
    blockedMs = nextMs;
    expect(await look()).toBe(Math.min(Math.max(nextMs, BLOCKED_PAUSE_MS), longest));
  }
  // Each look reports it.
  expect(told).toEqual(Array.from({ length: 6 }, () => "pay 1.0.0 loop-missing"));
});

test("workers that lack different things look after pauses that grow all the same", async () => {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const signer: Signer = { keyId: "k", issuer: "ci", sign: async () => new Uint8Array(64) };
  const any = jsonSchema<object>(true);
  const pay = defineTool({ id: "pay", version: "1.0.0", input: any, output: any, run: () => ({}) });
  const host = createLocalHost({ loops: [pay], stores, signer, clock });
  const run = await host.start(pay, {}, { grant: { grantor: "a", tools: [], budget: {} } });
  const ids = seededIds("blocked");
  const keyless: Signer = { ...signer, current: async () => undefined };
  const workers = [
    bindHost({ loops: [], stores, signer, clock, ids }),
    bindHost({ loops: [pay], stores, signer: keyless, clock, ids }),
  ];
  const pauses: number[] = [];
  const causes: string[] = [];
  for (let look = 0; look < 6; look++)
    for (const ports of workers) {
      const onBlocked = (_: string, { why }: { readonly why: string }) => causes.push(why);
      const { wakeAtMs = 0, nowMs } = await stepRun(run, ports, { onBlocked });
      pauses.push(wakeAtMs - nowMs);
      clock.advance(wakeAtMs - nowMs);
    }
  expect(causes.slice(0, 3)).toEqual(["loop-missing", "key-ended", "loop-missing"]);
  expect(pauses).toEqual([...pauses].sort((one, other) => one - other));
  expect(pauses.at(-1)).toBe(BLOCKED_PAUSE_MS_MAX);
});

test("a failure that may pass is told with its run, and is the engine's to try again", async () => {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const signer: Signer = { keyId: "k", issuer: "ci", sign: async () => new Uint8Array(64) };
  const bug = new TypeError("words that nobody may read");
  const takeEpoch = () => Promise.reject(bug);
  const broken = { ...stores, log: { ...stores.log, takeEpoch } };
  const ports = bindHost({ loops: [], stores: broken, signer, clock, ids: seededIds("failed") });
  const told: unknown[] = [];
  const onFailed = (run: string, error: unknown) => told.push(run, error);
  await expect(stepRun("run", ports, { onFailed })).rejects.toBe(bug);
  expect(told).toEqual(["run", bug]);
});

test("a turn that cannot be sealed is resumed so often, then only its seal is tried", async () => {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const any = jsonSchema<object>(true);
  const look = defineTool({
    ...{ id: "look", version: "1.0.0", input: any, output: any, effect: "read" },
    run: () => ({}),
  });
  const fine: Signer = { keyId: "k", issuer: "ci", sign: async () => new Uint8Array(64) };
  const broken: Signer = { ...fine, sign: () => Promise.reject(new TypeError("no")) };
  const host = createLocalHost({ loops: [look], stores, signer: fine, clock });
  const grant = { grantor: "a", tools: ["local.look"], budget: {} };
  const run = await host.start(look, {}, { grant, bounds: { resumesMax: 3 } });
  const bind = (signer: Signer) =>
    bindHost({ loops: [look], stores, signer, clock, ids: seededIds("failed") });
  const sizes: number[] = [];
  for (let count = 0; count < 10; count++) {
    await expect(stepRun(run, bind(broken), {})).rejects.toThrow(TypeError);
    sizes.push((await stores.log.readHead(run))?.sequence ?? 0);
  }
  expect(new Set(sizes.slice(4)).size).toBe(1);
  await stepRun(run, bind(fine), {});
  expect(await host.show(run)).toMatchObject({ stopped: "stalled", turns: 1 });
});

test("a run that asks for its rollback has the engine begin with it, once", async () => {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const any = jsonSchema<object>(true);
  const open = { version: "1.0.0", input: any, output: any, effect: "idempotent" } as const;
  const put = defineTool({
    ...{ ...open, id: "put", run: () => ({}), compensate: { effect: "idempotent", run: () => {} } },
  });
  const fail = defineTool({
    ...{ ...open, id: "fail", effect: "read", run: () => Promise.reject(new Error("no")) },
  });
  const both = defineComposite({
    ...{ id: "both", version: "1.0.0", input: any, output: any },
    policy: { rollbackOn: ["failed"] },
    flow: (flow) => flow.call("put", put, () => ({})).call("fail", fail, () => ({})),
  });
  const signer: Signer = { keyId: "k", issuer: "ci", sign: async () => new Uint8Array(64) };
  const ids = seededIds("triggered");
  const host = createLocalHost({ loops: [both], stores, signer, clock, ids });
  const grant = { grantor: "a", tools: ["local.put", "local.fail"], budget: {} };
  const run = await host.start(both, {}, { grant, by: "ada", bounds: { turnsMax: 1 } });
  const worker = () => bindHost({ loops: [both], stores, signer, clock, ids });
  // The engine has not heard the first answer.
  const [first, second] = [await stepRun(run, worker(), {}), await stepRun(run, worker(), {})];
  const [rollback, ...others] = await listRollbacks(run, stores);
  expect([first.others, second.others, others]).toEqual([[rollback?.run], [rollback?.run], []]);
  expect(await stepRun(rollback?.run ?? "", worker(), {})).toMatchObject({ continues: false });
  expect(await host.requests(rollback?.run ?? "")).toMatchObject([{ name: "turnseal.plan" }]);
  // It is carried by its own messages from now on.
  expect(await stepRun(run, worker(), {})).toMatchObject({ others: [] });
});
