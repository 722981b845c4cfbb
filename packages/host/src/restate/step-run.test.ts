import { manualClock } from "@turnseal/ports";
import { expect, test } from "vitest";
import type { HostPorts } from "../carrier.ts";
import { createSlots } from "./slots.ts";
import { stepInSlot } from "./step-run.ts";
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
