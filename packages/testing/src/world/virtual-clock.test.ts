import { expect, test } from "vitest";
import { passTime, virtualClock } from "./virtual-clock.ts";

const START_MS = Date.UTC(2026, 0, 1);

test("time passes when it is told to, and can be set back", () => {
  const clock = virtualClock();
  clock.pass(5);
  expect(clock.now()).toBe(START_MS + 5);
  clock.set(START_MS - 1);
  expect(clock.now()).toBe(START_MS - 1);
});

test("work that waits for this clock goes on at once, in order of what is due", async () => {
  const clock = virtualClock();
  const woken: string[] = [];
  const wait = (name: string, delayMs: number) =>
    new Promise<void>((resume) => {
      clock.after(delayMs, () => {
        woken.push(name);
        resume();
      });
    });
  const stop = clock.after(1, () => woken.push("stopped"));
  stop();
  await passTime(Promise.all([wait("late", 60_000), wait("early", 10)]), clock);
  expect(woken).toEqual(["early", "late"]);
  expect(clock.now()).toBe(START_MS + 60_000);
});

test("work that waits for nothing is found out", async () => {
  const hangs = new Promise<never>(() => {});
  await expect(passTime(hangs, virtualClock())).rejects.toThrow("nothing is due");
});
