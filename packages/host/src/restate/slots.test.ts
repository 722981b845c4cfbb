import { manualClock } from "@turnseal/ports";
import { expect, test } from "vitest";
import { createSlots } from "./slots.ts";

test("as many as there are slots act at once, and the next waits its turn", async () => {
  const clock = manualClock(0);
  const slots = createSlots(2);
  const first = await slots.take(clock, 1_000);
  const second = await slots.take(clock, 1_000);
  expect(slots.inUse()).toBe(2);
  const order: string[] = [];
  const third = slots.take(clock, 1_000).then((release) => {
    order.push("third");
    return release;
  });
  const fourth = slots.take(clock, 1_000).then((release) => {
    order.push("fourth");
    return release;
  });
  first?.();
  (await third)?.();
  (await fourth)?.();
  expect(order).toEqual(["third", "fourth"]);
  expect(slots.inUse()).toBe(1);
  second?.();
  expect(slots.inUse()).toBe(0);
});

test("whoever finds none in time is sent away, and takes nothing with them", async () => {
  const clock = manualClock(0);
  const slots = createSlots(1);
  const held = await slots.take(clock, 0);
  const late = slots.take(clock, 5_000);
  clock.advance(4_999);
  const patient = slots.take(clock, 5_000);
  clock.advance(1);
  expect(await late).toBeUndefined();
  held?.();
  // A slot that is given back twice is one slot.
  held?.();
  const release = await patient;
  expect(slots.inUse()).toBe(1);
  release?.();
  expect(slots.inUse()).toBe(0);
});

test.each([0, -1, 1.5, Number.NaN])("%d slots are none", (max) => {
  expect(() => createSlots(max)).toThrow("at least one slot");
});
