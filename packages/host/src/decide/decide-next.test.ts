import { expect, test } from "vitest";
import { decideNext, meetsGoal } from "./decide-next.ts";

const known = {
  input: { order: "A" },
  output: { score: 3, list: [1, 2] },
  turn: 2,
  signals: { note: "hurry" },
};

test("without a mapping, and for the first turn, the run's own input is the input", () => {
  expect(decideNext(undefined, known)).toEqual({ kind: "input", input: { order: "A" } });
  expect(decideNext({ a: "literal:b" }, { ...known, turn: 0 })).toEqual({
    kind: "input",
    input: { order: "A" },
  });
});

test("a mapping builds the input from the input, the output, the turn and the signals", () => {
  const mapping = {
    order: "$.input.order",
    score: "$.output.score",
    last: "$.output.list[-1]",
    turn: "$.turn",
    note: "$.signals.note",
    text: "literal:$.input",
    flag: { const: true },
  };
  expect(decideNext(mapping, known)).toEqual({
    kind: "input",
    input: { order: "A", score: 3, last: 2, turn: 2, note: "hurry", text: "$.input", flag: true },
  });
});

test("a signal that nobody maps is in no input, and one that has not come is absent", () => {
  expect(decideNext({ order: "$.input.order" }, known)).toEqual({
    kind: "input",
    input: { order: "A" },
  });
  expect(decideNext({ note: "$.signals.other" }, known)).toEqual({ kind: "input", input: {} });
});

test("a path that leads nowhere breaks the mapping", () => {
  for (const path of ["$.output.score.deeper.still", "$..order", "order"]) {
    expect(decideNext({ a: path }, known)).toEqual({ kind: "broken", source: path });
  }
});

test("a mapping computes from what is known between turns", () => {
  const mapping = {
    text: { cel: "'turn ' + string(turn) + ' of ' + input.order + ': ' + signals.note" },
    score: { cel: "has(output.other) ? output.other : output.score + 1" },
  };
  expect(decideNext(mapping, known)).toEqual({
    kind: "input",
    input: { text: "turn 2 of A: hurry", score: 4 },
  });
});

test("an expression that gives no value, or cannot be read, breaks the mapping", () => {
  for (const cel of [
    "signals.other",
    "output.score + 'x'",
    "steps[0]",
    "output.",
    "x".repeat(9_999),
  ])
    expect(decideNext({ a: { cel } }, known)).toEqual({ kind: "broken", source: cel });
});

test("names of a prototype lead nowhere", () => {
  expect(decideNext({ a: "$.output.toString" }, known)).toEqual({ kind: "input", input: {} });
});

test("without a goal, completing is the goal", () => {
  expect(meetsGoal({}, null)).toBe(true);
});

test("a run that awaits signals has no goal but the one that it is given", () => {
  const goal = { path: "$.output.done", equals: true } as const;
  expect(meetsGoal({ awaits: ["message"] }, { done: true })).toBe(false);
  expect(meetsGoal({ awaits: ["message"], goal }, { done: true })).toBe(true);
});

test("a goal may ask for a value, or for at least a number", () => {
  const output = { score: 3, done: true, tags: ["a"] };
  expect(meetsGoal({ goal: { path: "$.output.done", equals: true } }, output)).toBe(true);
  expect(meetsGoal({ goal: { path: "$.output.done", equals: "true" } }, output)).toBe(false);
  expect(meetsGoal({ goal: { path: "$.output.tags", equals: ["a"] } }, output)).toBe(true);
  expect(meetsGoal({ goal: { path: "$.output.score", atLeast: 3 } }, output)).toBe(true);
  expect(meetsGoal({ goal: { path: "$.output.score", atLeast: 3.1 } }, output)).toBe(false);
});

test("the order of fields is no difference for a goal", () => {
  const goal = { path: "$.output.pair", equals: { a: 1, b: 2 } };
  expect(meetsGoal({ goal }, { pair: { b: 2, a: 1 } })).toBe(true);
});

test("what is not there, or is not a number, meets no goal", () => {
  expect(meetsGoal({ goal: { path: "$.output.none", equals: null } }, {})).toBe(false);
  expect(meetsGoal({ goal: { path: "$.output.score", atLeast: 1 } }, { score: "9" })).toBe(false);
  expect(meetsGoal({ goal: { path: "no path", atLeast: 1 } }, { score: 9 })).toBe(false);
});
