import { expect, test } from "vitest";
import { findRecovery } from "./recovery.ts";
import { type Line, summarize } from "./table.ts";

/** A payment every so many milliseconds, from one time until another. */
const payments = (fromMs: number, untilMs: number, everyMs = 10): number[] =>
  Array.from({ length: (untilMs - fromMs) / everyMs }, (_, index) => fromMs + index * everyMs);

test("a pause counts from the strike to the first payment after it", () => {
  const times = [...payments(0, 5_000), ...payments(7_000, 12_000)];
  expect(findRecovery(times, [5_000])).toEqual({ firstMs: 2_000, fullMs: 2_000 });
});

test("what comes slowly at first is not yet the full rate", () => {
  const times = [...payments(0, 5_000), ...payments(7_000, 9_000, 100), ...payments(9_000, 12_000)];
  const { firstMs, fullMs } = findRecovery(times, [5_000]);
  expect(firstMs).toBe(2_000);
  expect(fullMs).toBeGreaterThan(3_000);
});

test("the slowest recovery of several strikes is the one that counts", () => {
  const times = [...payments(0, 5_000), ...payments(5_500, 10_000), ...payments(13_000, 18_000)];
  expect(findRecovery(times, [5_000, 10_000])).toMatchObject({ firstMs: 3_000, fullMs: 3_000 });
});

test("runs that never came back are not a number", () => {
  expect(findRecovery(payments(0, 5_000), [5_000]).fullMs).toBeNaN();
});

const clean: Line = {
  ...{ name: "any", strikes: 1, turns: 100, twice: 0, lost: 0, failed: 0, resumes: 3, unknowns: 2 },
  ...{ invalid: 0, hanging: 0, looked: 0, stuck: 0, firstMs: 1, fullMs: 1, seconds: 1 },
};

test.each<[string, Partial<Line>, boolean]>([
  ["nothing wrong", {}, true],
  ["an effect twice", { twice: 1 }, false],
  ["an effect lost", { lost: 1 }, false],
  ["a turn that failed", { failed: 1 }, false],
  ["a receipt that does not verify", { invalid: 1 }, false],
  ["a run that stands still", { stuck: 1 }, false],
  ["fewer turns than were asked for", { turns: 99 }, false],
  ["a run that needed a look", { hanging: 1, looked: 1 }, true],
])("%s", (_, changed, pass) => {
  expect(summarize([{ ...clean, ...changed }], 100).pass).toBe(pass);
});

test("no line is no proof", () => {
  expect(summarize([], 100).pass).toBe(false);
});
