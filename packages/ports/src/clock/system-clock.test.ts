import { describe, expect, test } from "vitest";
import { clockContract } from "./clock-contract.ts";
import { systemClock } from "./system-clock.ts";

const pass = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms + 5));

describe("the system clock keeps the contract", () => {
  const cases = clockContract({ create: () => ({ clock: systemClock, pass }) });
  for (const { name, run } of cases) test(name, run);
});

test("it never calls back early, measured by itself", async () => {
  const waits = Array.from({ length: 50 }, async (_, index) => {
    await pass(index % 7);
    const startedAt = systemClock.now();
    const calledAt = await new Promise<number>((resolve) => {
      systemClock.after(5, () => resolve(systemClock.now()));
    });
    return calledAt - startedAt;
  });
  expect(Math.min(...(await Promise.all(waits)))).toBeGreaterThanOrEqual(5);
});

test("a delay that is longer than the platform can wait does not fire at once", async () => {
  let calls = 0;
  const cancel = systemClock.after(2 ** 40, () => calls++);
  await pass(10);
  cancel();
  expect(calls).toBe(0);
});
