import { manualClock, memoryStores, type Signer, seededIds } from "@turnseal/ports";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { bindHost } from "../bind-host.ts";
import { BLOCKED_PAUSE_MS, BLOCKED_PAUSE_MS_MAX } from "../decide/look-at.ts";
import type { HostPorts } from "../host-ports.ts";
import { createLocalHost } from "../local/local-host.ts";
import { createSlots } from "./slots.ts";
import { stepInSlot, stepRun } from "./step-run.ts";
import { WAIT_INLINE_MS } from "./timing.ts";

/** Ports without stores: whoever looked at a log would fail. */
function openWorker() {
  const clock = manualClock(1_000);
  return { clock, ports: { clock } as unknown as HostPorts, slots: createSlots(1) };
}

test("a message that finds no slot in time ends, with a time to come again", async () => {
  const { clock, ports, slots } = openWorker();
  await slots.take(clock, 0);
  const stepping = stepInSlot("run", ports, {}, slots);
  clock.advance(WAIT_INLINE_MS);
  expect(await stepping).toEqual({
    ...{ sequence: 0, continues: false, others: [] },
    ...{ nowMs: 6_000, wakeAtMs: 11_000 },
  });
  expect(slots.inUse()).toBe(1);
});

test("an attempt that was given up while it waited does nothing", async () => {
  const { clock, ports, slots } = openWorker();
  const held = await slots.take(clock, 0);
  const stepping = stepInSlot("run", ports, { attempt: AbortSignal.abort() }, slots);
  held?.();
  expect(await stepping).toEqual({ sequence: 0, continues: false, others: [], nowMs: 1_000 });
  expect(slots.inUse()).toBe(0);
});

test("a step that fails gives its slot back", async () => {
  const { ports, slots } = openWorker();
  await expect(stepInSlot("run", ports, {}, slots)).rejects.toThrow();
  expect(slots.inUse()).toBe(0);
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
  // Whoever looks is told, each time.
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
