import { describe, expect, test } from "vitest";
import type { Clock } from "./clock.ts";
import { clockContract } from "./clock-contract.ts";
import { type ManualClock, manualClock } from "./manual-clock.ts";

const createMovable = () => {
  const clock = manualClock();
  return { clock, pass: (ms: number) => clock.advance(ms) };
};

describe("the manual clock keeps the contract", () => {
  for (const { name, run } of clockContract({ create: createMovable })) test(name, run);
});

describe("the contract finds a clock that does not keep it", () => {
  const broken: Record<string, (clock: ManualClock) => Clock> = {
    "now is a safe integer of milliseconds": (clock) => ({ ...clock, now: () => 0.5 }),
    "after calls back once, and not before it has returned": (clock) => ({
      ...clock,
      after: (delayMs, callback) => {
        callback();
        return clock.after(delayMs, () => {});
      },
    }),
    "after does not call back early": (clock) => ({
      ...clock,
      after: (delayMs, callback) => clock.after(Math.min(delayMs, 19), callback),
    }),
    "a cancelled callback is never called": (clock) => ({
      ...clock,
      after: (delayMs, callback) => {
        clock.after(delayMs, callback);
        return () => {};
      },
    }),
  };
  const cases = clockContract({
    create: () => {
      throw new Error("replaced below");
    },
  });

  test.each(cases.map(({ name }) => name))("%s", async (name) => {
    const breakClock = broken[name];
    expect(breakClock, "every sentence has a clock that breaks it").toBeDefined();
    const contract = clockContract({
      create: () => {
        const { clock, pass } = createMovable();
        return { clock: breakClock?.(clock) ?? clock, pass };
      },
    });
    await expect(contract.find((found) => found.name === name)?.run()).rejects.toThrow();
  });
});

test("it starts at the beginning of 2026 and stands still", () => {
  const clock = manualClock();
  expect(new Date(clock.now()).toISOString()).toBe("2026-01-01T00:00:00.000Z");
  expect(clock.now()).toBe(clock.now());
});

test("advancing runs what is due in order of its time, and not what is due later", () => {
  const clock = manualClock(0);
  const heard: string[] = [];
  for (const delayMs of [30, 10, 20, 41]) {
    clock.after(delayMs, () => heard.push(`${delayMs} at ${clock.now()}`));
  }
  clock.advance(40);
  expect(heard).toEqual(["10 at 10", "20 at 20", "30 at 30"]);
  expect(clock.now()).toBe(40);
});

test("a callback that waits again is heard within the same advance", () => {
  const clock = manualClock(0);
  const heard: number[] = [];
  clock.after(5, () => clock.after(5, () => heard.push(clock.now())));
  clock.advance(10);
  expect(heard).toEqual([10]);
});

test("a jump moves the time and runs nothing", () => {
  const clock = manualClock(1_000);
  let calls = 0;
  clock.after(10, () => calls++);
  clock.jump(5_000);
  expect([clock.now(), calls]).toEqual([5_000, 0]);
  clock.jump(0);
  expect(clock.now()).toBe(0);
});
