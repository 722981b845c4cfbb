import { canonicalize, type JsonValue } from "@turnseal/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Evaluation } from "./evaluation.ts";
import { countNodes, isSameValue, nameValue } from "./same-value.ts";

const evaluation = (): Evaluation => ({
  stepsLeft: 1_000_000,
  nesting: 0,
  path: [],
  faults: undefined,
  covered: undefined,
});
const nameOf = (value: JsonValue) => nameValue(value, evaluation());

const jsonPair = fc.tuple(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }));

test("values are the same exactly when their canonical forms are", () => {
  fc.assert(
    fc.property(jsonPair, ([one, other]) => {
      const left = JSON.parse(JSON.stringify(one)) as JsonValue;
      const right = JSON.parse(JSON.stringify(other)) as JsonValue;
      const isSame = canonicalize(left) === canonicalize(right);
      expect(isSameValue(left, right)).toBe(isSame);
      expect(nameOf(left) === nameOf(right)).toBe(isSame);
      expect(isSameValue(left, structuredClone(left))).toBe(true);
      expect(nameOf(left)).toBe(nameOf(structuredClone(left)));
    }),
    { seed: 1, numRuns: 500 },
  );
});

test.each<[JsonValue, JsonValue, boolean]>([
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [{ toString: null }, {}, false],
  [{ a: null }, { b: null }, false],
  ["1", 1, false],
  [[null], [[]], false],
  [{ length: 0 }, [], false],
])("%j and %j: %s", (one, other, expected) => {
  expect(isSameValue(one, other)).toBe(expected);
  expect(nameOf(one) === nameOf(other)).toBe(expected);
});

test("a long value has a short name, which no text can be mistaken for", () => {
  const long = Array(1_000).fill("a long item");
  expect(nameOf(long).length).toBeLessThan(100);
  expect(nameOf(nameOf(long))).not.toBe(nameOf(long));
});

test("nodes are counted at every level", () => {
  expect([countNodes(1), countNodes([]), countNodes({ a: [1, { b: null }] })]).toEqual([1, 1, 5]);
});
