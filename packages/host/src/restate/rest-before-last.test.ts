// The pause before the last attempt at an action that took two workers down.
import { manualClock, memoryStores, type Signer, seededIds } from "@turnseal/ports";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { bindHost } from "../bind-host.ts";
import { LOST_PAUSE_MS_MAX, lostPauseMs } from "../decide/find-quarantine.ts";
import { createLocalHost } from "../local/local-host.ts";
import { createSlots } from "./slots.ts";
import { stepInSlot } from "./step-run.ts";

const any = jsonSchema<object>(true);
const signer: Signer = { keyId: "k", issuer: "ci", sign: async () => new Uint8Array(64) };

/** A run whose action has taken two workers down, after longer than any pause. */
async function openLost() {
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
  const parts = { loops: [burn], stores, signer, clock, ids: seededIds("rest") };
  const host = createLocalHost(parts);
  const grant = { grantor: "ada", tools: ["local.burn"], budget: {} };
  const run = await host.start(burn, {}, { grant });
  const slots = createSlots(3);
  const step = (attempt?: AbortSignal) =>
    stepInSlot(
      ...[
        run,
        bindHost(parts),
        { quarantines: true, ...(attempt === undefined ? {} : { attempt }) },
      ],
      { tenant: "acme", slots, from: "engine" },
    );
  const settle = async (): Promise<void> => {
    for (let tick = 0; tick < 1_000; tick++) await Promise.resolve();
  };
  for (let lost = 1; lost <= 2; lost++) {
    void step();
    await settle();
    expect(tool.acted).toBe(lost);
    clock.advance(2 * LOST_PAUSE_MS_MAX);
  }
  return { clock, tool, host, run, slots, step, settle };
}

test("it is counted from when the loss was found, and takes no slot", async () => {
  const { clock, tool, run, slots, step, settle } = await openLost();
  const held = slots.inUse();
  tool.isDeadly = false;
  const stepping = step();
  await settle();
  expect(slots.inUse()).toBe(held);
  clock.advance(lostPauseMs(run) - 1);
  await settle();
  expect(tool.acted).toBe(2);
  clock.advance(1);
  expect(await stepping).toMatchObject({ continues: false });
  expect(tool.acted).toBe(3);
  expect(slots.inUse()).toBe(held);
});

test("an attempt that is given up meanwhile does nothing", async () => {
  const { tool, slots, step, settle } = await openLost();
  const held = slots.inUse();
  const given = new AbortController();
  const stepping = step(given.signal);
  await settle();
  given.abort();
  expect(await stepping).toMatchObject({ sequence: 0, continues: false });
  expect(tool.acted).toBe(2);
  expect(slots.inUse()).toBe(held);
});

test("a run that is cancelled meanwhile acts no more", async () => {
  const { clock, tool, host, run, step, settle } = await openLost();
  const stepping = step();
  await settle();
  await host.cancel(run, { key: "stop", by: "bob" });
  clock.advance(lostPauseMs(run));
  await stepping;
  expect(tool.acted).toBe(2);
  expect(await host.show(run)).toMatchObject({ stopped: "cancelled" });
});
