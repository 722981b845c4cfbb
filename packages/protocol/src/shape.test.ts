import { describe, expect, expectTypeOf, test } from "vitest";
import {
  findWrongField,
  hasFields,
  hasOnly,
  type Is,
  isCount,
  isCountWithin,
  isHash,
  isListOf,
  isNullOr,
  isOneOf,
  isText,
  isTrue,
  isWhole,
} from "./shape.ts";

describe("numbers", () => {
  test("are whole, and exact in every language", () => {
    expect([-1, 0, Number.MAX_SAFE_INTEGER].every(isWhole)).toBe(true);
    for (const value of [0.5, 2 ** 53, Number.NaN, "1", null, 1n])
      expect(isWhole(value)).toBe(false);
  });

  test("that count begin at zero", () => {
    expect(isCount(0)).toBe(true);
    for (const value of [-1, 1.5, 2 ** 53, "1"]) expect(isCount(value)).toBe(false);
  });

  test("within a range have both of its ends", () => {
    const isGood = isCountWithin({ least: 1, most: 3 });
    expect([0, 1, 3, 4].map(isGood)).toEqual([false, true, true, false]);
  });
});

test("a hash is 64 digits of lower-case hex", () => {
  expect(isHash("0a".repeat(32))).toBe(true);
  for (const value of ["0A".repeat(32), "0a".repeat(31), `${"0a".repeat(32)}\n`, 7])
    expect(isHash(value)).toBe(false);
});

test("a word is one of the list, and nothing that reads like one", () => {
  const isWord = isOneOf(["a", "b"]);
  expectTypeOf(isWord).toEqualTypeOf<Is<"a" | "b">>();
  expect(["a", "c", ["a"], "toString"].map(isWord)).toEqual([true, false, false, false]);
  expect([null, "a", undefined].map(isNullOr(isWord))).toEqual([true, true, false]);
});

describe("a list", () => {
  test("has items of one kind, and as many as it may", () => {
    const isGood = isListOf(isText, { least: 1, most: 2 });
    expect([[], ["a"], ["a", "b"], ["a", "b", "c"], ["a", 1], "ab"].map(isGood)).toEqual([
      ...[false, true, true, false, false, false],
    ]);
  });

  test("has no holes", () => {
    expect(isListOf(isText)(new Array(1))).toBe(false);
  });
});

describe("an object", () => {
  const always = { id: isText };
  const sometimes = { count: isCount };

  test("that has only these fields has no other", () => {
    const isGood = hasOnly(always, sometimes);
    expectTypeOf(isGood).toExtend<Is<{ readonly id: string; readonly count?: number }>>();
    expect(isGood({ id: "a" })).toBe(true);
    expect(isGood({ id: "a", count: 1 })).toBe(true);
    for (const value of [{}, { id: 1 }, { id: "a", count: "1" }, { id: "a", more: 1 }, [], null])
      expect(isGood(value)).toBe(false);
  });

  test("that has these fields may have others", () => {
    const isGood = hasFields(always, sometimes);
    expect(isGood({ id: "a", more: 1 })).toBe(true);
    for (const value of [{ more: 1 }, { id: "a", count: "1" }, "a", undefined])
      expect(isGood(value)).toBe(false);
  });

  test("has what is its own, and not what it inherits", () => {
    const isFunction = (value: unknown): boolean => typeof value === "function";
    expect(hasFields({ toString: isFunction })({})).toBe(false);
    expect(hasOnly({ toString: isFunction })({})).toBe(false);
    expect(hasOnly({}, sometimes)(JSON.parse('{"__proto__":1}'))).toBe(false);
    expect(hasOnly({})({ constructor: 1 })).toBe(false);
  });

  test("does not have what may be there and is undefined", () => {
    const value = { id: "a", count: undefined };
    expect(hasOnly(always, sometimes)(value)).toBe(true);
    expect(hasFields(always, sometimes)(value)).toBe(true);
    expect(hasOnly({ ...always, ...sometimes })(value)).toBe(false);
  });
});

test("what is wrong is the first field of the list, and then of the object", () => {
  const fields = { always: { first: isText, second: isTrue }, sometimes: { third: isCount } };
  const find = (value: Record<string, unknown>) => findWrongField(fields, value);
  expect(find({ first: "a", second: true, third: 0 })).toBeUndefined();
  expect(find({ second: 1 })).toEqual({ name: "first", fault: "missing" });
  expect(find({ other: 1, second: 1, first: "a" })).toEqual({ name: "second", fault: "wrong" });
  expect(find({ other: 1, third: -1, first: "a", second: true })).toEqual({
    name: "other",
    fault: "unknown",
  });
  expect(find({ third: -1, other: 1, first: "a", second: true })).toEqual({
    name: "third",
    fault: "wrong",
  });
});
