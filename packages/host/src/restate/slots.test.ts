import { manualClock } from "@turnseal/ports";
import { expect, test } from "vitest";
import { createSlots, WAITING_MAX } from "./slots.ts";

const WAIT_MS = 5_000;

/** Slots, a clock, and messages of tenants that note when they get in. */
function openSlots(max: number, weights: Readonly<Record<string, number>> = {}) {
  const clock = manualClock(0);
  const slots = createSlots(max, { weightOf: (tenant) => weights[tenant] ?? 1 });
  const entered: string[] = [];
  const ask = (tenant: string, more: { isFromLane?: boolean; attempt?: AbortSignal } = {}) =>
    slots.take({ tenant, clock, waitMs: WAIT_MS, ...more }).then((release) => {
      if (release !== undefined) entered.push(tenant);
      return release;
    });
  return { clock, slots, ask, entered };
}

test("as many as there are slots act at once, and the next waits its turn", async () => {
  const { slots, ask } = openSlots(2);
  const [first, second] = [await ask("a"), await ask("a")];
  expect(slots.inUse()).toBe(2);
  const order: string[] = [];
  const noted = (name: string) =>
    ask("a").then((release) => {
      order.push(name);
      return release;
    });
  const [third, fourth] = [noted("third"), noted("fourth")];
  expect(slots.waiting()).toBe(2);
  first?.();
  (await third)?.();
  (await fourth)?.();
  expect(order).toEqual(["third", "fourth"]);
  expect(slots.inUse()).toBe(1);
  second?.();
  expect(slots.inUse()).toBe(0);
});

test("whoever finds none in time is sent away, and takes nothing with them", async () => {
  const { clock, slots, ask } = openSlots(1);
  const held = await ask("a");
  const late = ask("a");
  clock.advance(WAIT_MS - 1);
  const patient = ask("a");
  clock.advance(1);
  expect(await late).toBeUndefined();
  held?.();
  // A slot that is released twice is one slot.
  held?.();
  const release = await patient;
  expect(slots.inUse()).toBe(1);
  release?.();
  expect(slots.inUse()).toBe(0);
});

test.each([0, -1, 1.5, Number.NaN])("%d slots are none", (max) => {
  expect(() => createSlots(max)).toThrow("at least one slot");
});

test("a tenant without a weight is refused", async () => {
  const { ask } = openSlots(1, { a: 0 });
  await expect(ask("a")).rejects.toThrow("has a weight");
});

test("one message fewer than WAITING_MAX may wait; the next is sent away at once", async () => {
  const { slots, ask } = openSlots(1);
  await ask("a");
  for (let count = 0; count < WAITING_MAX; count++) void ask("a");
  expect(slots.waiting()).toBe(WAITING_MAX);
  expect(await ask("a")).toBeUndefined();
  // Another tenant has a queue of its own, and messages from a lane have waited already.
  void ask("b");
  void ask("a", { isFromLane: true });
  expect(slots.waiting()).toBe(WAITING_MAX + 2);
});

test("a fresh message does not overtake those that come from lanes", async () => {
  const { slots, ask } = openSlots(1);
  const held = await ask("a");
  const fromLane = ask("a", { isFromLane: true });
  expect(await ask("a")).toBeUndefined();
  const other = ask("b");
  held?.();
  const first = await Promise.race([fromLane, other]);
  first?.();
  (await fromLane)?.();
  (await other)?.();
  expect(slots.inUse()).toBe(0);
  expect(await ask("a")).toBeDefined();
});

test("an attempt that was given up leaves the queue, and does not enter it", async () => {
  const { slots, ask } = openSlots(1);
  const held = await ask("a");
  const given = new AbortController();
  const waiting = ask("a", { attempt: given.signal });
  expect(slots.waiting()).toBe(1);
  given.abort();
  expect(await waiting).toBeUndefined();
  expect(await ask("a", { attempt: given.signal })).toBeUndefined();
  expect(slots.waiting()).toBe(0);
  held?.();
  expect(slots.inUse()).toBe(0);
});

test("a tenant that comes while another floods is next, also with no slot kept", async () => {
  const { ask, entered } = openSlots(1);
  const held = await ask("noisy");
  for (let count = 0; count < 20; count++) void ask("noisy");
  const quiet = ask("quiet");
  held?.();
  await quiet;
  expect(entered).toEqual(["noisy", "quiet"]);
});

test("a slot is kept for a tenant that was seen, and for a minute", async () => {
  const { clock, slots, ask } = openSlots(8);
  (await ask("quiet"))?.();
  const given: Promise<(() => void) | undefined>[] = [];
  for (let count = 0; count < 10; count++) given.push(ask("noisy"));
  expect(slots.inUse()).toBe(7);
  // A tenant below its share takes it at once.
  const quiet = await ask("quiet");
  expect(slots.inUse()).toBe(8);
  quiet?.();
  expect(slots.inUse()).toBe(7);
  clock.advance(60_000);
  // No other tenant was active: every slot is free for this one.
  for (let count = 0; count < 10; count++) void ask("noisy");
  expect(slots.inUse()).toBe(8);
});

test("a tenant that is alone has every slot", async () => {
  const { slots, ask } = openSlots(16);
  for (let count = 0; count < 30; count++) void ask("a");
  expect(slots.inUse()).toBe(16);
});

test("tenants without anything here are forgotten, and begin anew", async () => {
  const { clock, slots, ask } = openSlots(4);
  for (let count = 0; count < 1_000; count++) (await ask(`t${count}`))?.();
  clock.advance(120_001);
  for (let count = 0; count < 10; count++) void ask("a");
  expect(slots.inUse()).toBe(4);
});
