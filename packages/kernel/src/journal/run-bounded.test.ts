import { getEventListeners } from "node:events";
import { manualClock } from "@turnseal/ports";
import { expect, test, vi } from "vitest";
import { runBounded } from "./run-bounded.ts";

const bounds = (deadlineMs: number, signal?: AbortSignal) => {
  const clock = manualClock(0);
  return { clock, deadlineAt: deadlineMs, signal };
};

test("it answers with what the act answers, now or later", async () => {
  expect(await runBounded(bounds(10), () => 1)).toEqual({ kind: "done", value: 1 });
  expect(await runBounded(bounds(10), async () => 2)).toEqual({ kind: "done", value: 2 });
});

test("an act that throws at once fails like one that rejects", async () => {
  const error = new Error("no");
  const failed = { kind: "failed", error };
  const throwNow = () => {
    throw error;
  };
  expect(await runBounded(bounds(10), throwNow)).toEqual(failed);
  expect(await runBounded(bounds(10), () => Promise.reject(error))).toEqual(failed);
});

test("at or after the deadline nothing acts", async () => {
  for (const deadlineMs of [0, -1]) {
    const act = vi.fn();
    expect(await runBounded(bounds(deadlineMs), act)).toEqual({ kind: "timed-out" });
    expect(act).not.toHaveBeenCalled();
  }
  expect(await runBounded(bounds(1), () => "in time")).toMatchObject({ kind: "done" });
});

test("nothing acts for a caller who has cancelled, whatever the deadline is", async () => {
  for (const deadlineMs of [10, -1]) {
    const act = vi.fn();
    const outcome = await runBounded(bounds(deadlineMs, AbortSignal.abort()), act);
    expect(outcome).toEqual({ kind: "cancelled" });
    expect(act).not.toHaveBeenCalled();
  }
});

test("the act is told to stop at the deadline, once, and not before", async () => {
  const given = bounds(10);
  const heard = vi.fn();
  const pending = runBounded(given, (signal) => {
    signal.addEventListener("abort", heard);
    return new Promise(() => {});
  });
  given.clock.advance(9);
  expect(heard).not.toHaveBeenCalled();
  given.clock.advance(1);
  expect(await pending).toEqual({ kind: "timed-out" });
  given.clock.advance(100);
  expect(heard).toHaveBeenCalledTimes(1);
});

test("whatever comes first counts, and only that", async () => {
  const controller = new AbortController();
  const given = bounds(10, controller.signal);
  let answer = (_: string): void => {};
  const pending = runBounded(
    given,
    () =>
      new Promise<string>((resolve) => {
        answer = resolve;
      }),
  );
  controller.abort();
  given.clock.advance(10);
  answer("late");
  expect(await pending).toEqual({ kind: "cancelled" });
});

test("the act is not told to stop when it has answered", async () => {
  const given = bounds(10);
  let told: AbortSignal | undefined;
  await runBounded(given, (signal) => {
    told = signal;
  });
  given.clock.advance(100);
  expect(told?.aborted).toBe(false);
});

test("nobody listens to the caller's signal when the act has ended, in whatever way", async () => {
  const { signal } = new AbortController();
  const given = bounds(10, signal);
  await runBounded(given, () => 1);
  await runBounded(given, () => Promise.reject(new Error("no")));
  const pending = runBounded(given, () => new Promise(() => {}));
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  given.clock.advance(10);
  await pending;
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
