import { runInNewContext } from "node:vm";
import reference from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  CanonicalJsonError,
  canonicalize,
  isPlainObject,
  JSON_DEPTH_MAX,
} from "./canonical-json.ts";

const json = fc.jsonValue({ maxDepth: 6, noUnicodeString: false });

function nest(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

function refusalOf(value: unknown): CanonicalJsonError {
  try {
    canonicalize(value);
  } catch (error) {
    if (error instanceof CanonicalJsonError) return error;
    throw error;
  }
  throw new Error("was not refused");
}

describe("canonicalize", () => {
  test("agrees with an independent implementation on random JSON", () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(canonicalize(value)).toBe(reference(value));
      }),
      { seed: 8785, numRuns: 500 },
    );
  });

  test("agrees with an independent implementation on random doubles", () => {
    const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(doubles, (value) => {
        expect(canonicalize(value)).toBe(reference(value));
      }),
      { seed: 8785, numRuns: 1_000 },
    );
  });

  test("gives the same text whatever the order of the fields", () => {
    const objects = fc.dictionary(fc.string(), json, { noNullPrototype: true });
    fc.assert(
      fc.property(objects, (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse());
        expect(canonicalize(reversed)).toBe(canonicalize(object));
      }),
      { seed: 8785, numRuns: 300 },
    );
  });

  test("keeps the value: reading the text gives it back", () => {
    fc.assert(
      fc.property(json, (value) => {
        // Negative zero has no form of its own.
        expect(JSON.parse(canonicalize(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { seed: 8785, numRuns: 300 },
    );
  });

  test("takes objects without a prototype and literals of another realm", () => {
    const bare = Object.assign(Object.create(null), { b: 1, a: 2 });
    expect(canonicalize(bare)).toBe('{"a":2,"b":1}');
    expect(canonicalize(runInNewContext("({ b: [1], a: {} })"))).toBe('{"a":{},"b":[1]}');
  });

  class Point {
    readonly x = 1;
  }
  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const ring: unknown[] = [];
  ring.push([ring]);
  const sparse = [1, 2, 3];
  delete sparse[1];

  test.each<[string, unknown]>([
    ["undefined", undefined],
    ["a field that is undefined", { a: undefined }],
    ["an item that is undefined", [undefined]],
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["negative Infinity", [Number.NEGATIVE_INFINITY]],
    ["a big integer", 1n],
    ["a symbol", Symbol("a")],
    ["a function", () => 1],
    ["a method", { toJSON: () => 1 }],
    ["a date", new Date(0)],
    ["a map", new Map([["a", 1]])],
    ["a set", new Set([1])],
    ["a regular expression", /a/],
    ["an error", new Error("a")],
    ["a promise", Promise.resolve(1)],
    ["bytes", new Uint8Array([1])],
    ["a boxed number", Object(1)],
    ["a boxed string", Object("a")],
    ["an instance of a class", new Point()],
    ["a class", Point],
    ["an object that inherits from another", Object.create({ a: 1 })],
    ["an object with a symbol as key", { a: 1, [Symbol("b")]: 2 }],
    ["a date of another realm", runInNewContext("new Date(0)")],
    ["an instance of a class of another realm", runInNewContext("new (class Point {})()")],
    ["a lone high surrogate", "a\ud800"],
    ["a lone low surrogate", ["\udc00b"]],
    ["a key with a lone surrogate", { "\ud800": 1 }],
    ["a list with a hole", sparse],
    ["a list with a named field", Object.assign([1], { extra: 2 })],
  ])("refuses %s", (_, value) => {
    expect(refusalOf(value).code).toBe("JSON_NOT_PLAIN");
    expect(refusalOf({ deep: [value] }).code).toBe("JSON_NOT_PLAIN");
  });

  test.each<[string, unknown]>([
    ["an object that holds itself", cycle],
    ["a list that holds itself", ring],
  ])("refuses %s", (_, value) => {
    expect(refusalOf(value).code).toBe("JSON_TOO_DEEP");
  });

  test("takes JSON_DEPTH_MAX levels and refuses one more", () => {
    expect(JSON_DEPTH_MAX).toBe(128);
    expect(canonicalize(nest(JSON_DEPTH_MAX))).toHaveLength((128 / 2) * 2 + (128 / 2) * 6 + 1);
    expect(refusalOf(nest(JSON_DEPTH_MAX + 1)).code).toBe("JSON_TOO_DEEP");
  });

  test("says where, and does not say what", () => {
    const refusal = refusalOf({ a: [0, { b: "secret \ud800" }] });
    expect(refusal.message).toBe("/a/1/b is a string with a lone surrogate");
    expect(refusal.retry).toBe("never");
  });
});

describe("isPlainObject", () => {
  test.each<[string, unknown, boolean]>([
    ["a literal", {}, true],
    ["an object without a prototype", Object.create(null), true],
    ["a literal of another realm", runInNewContext("({})"), true],
    ["null", null, false],
    ["a list", [], false],
    ["a list of another realm", runInNewContext("[]"), false],
    ["a function", () => 1, false],
    ["a date", new Date(0), false],
    ["an object whose prototype has none", Object.create(Object.create(null)), false],
    ["an object that carries a symbol", { [Symbol.toStringTag]: "a" }, false],
    ["a text", "a", false],
  ])("%s", (_, value, isPlain) => {
    expect(isPlainObject(value)).toBe(isPlain);
  });
});
