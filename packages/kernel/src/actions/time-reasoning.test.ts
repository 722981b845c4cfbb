import { expect, test } from "vitest";
import { REASONING_CHANGES_MAX, timeReasoning } from "./time-reasoning.ts";

function openTimer() {
  let now = 1_000;
  const timer = timeReasoning(() => now);
  const tell = (kind: "text" | "reasoning", part: number, ms: number): void => {
    timer.tell({ kind, part });
    now += ms;
  };
  return { tell, end: () => timer.end() };
}

test("a thought lasts from its first piece to the first of what follows", () => {
  const { tell, end } = openTimer();
  tell("reasoning", 0, 300);
  tell("reasoning", 0, 200);
  tell("text", 1, 1_000);
  tell("reasoning", 2, 50);
  expect(end()).toEqual([
    { part: 0, durationMs: 500 },
    { part: 2, durationMs: 50 },
  ]);
});

test("an answer without thoughts has no times, and one that goes back adds up", () => {
  const plain = openTimer();
  plain.tell("text", 0, 10);
  expect(plain.end()).toEqual([]);
  const back = openTimer();
  for (const [kind, part] of [
    ["reasoning", 1],
    ["text", 0],
    ["reasoning", 1],
  ] as const)
    back.tell(kind, part, 7);
  expect(back.end()).toEqual([{ part: 1, durationMs: 14 }]);
});

test("REASONING_CHANGES_MAX parts are measured, and none beyond", () => {
  const timed = (count: number) => {
    const { tell, end } = openTimer();
    for (let part = 0; part < count; part++) tell("reasoning", part, 1);
    return end();
  };
  expect(timed(REASONING_CHANGES_MAX)).toHaveLength(REASONING_CHANGES_MAX);
  expect(timed(REASONING_CHANGES_MAX + 5)).toEqual(timed(REASONING_CHANGES_MAX));
});
