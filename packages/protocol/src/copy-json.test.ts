import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalize, JSON_DEPTH_MAX } from "./canonical-json.ts";
import { copyJson, VALUE_BYTES_MAX, VALUE_DEPTH_MAX } from "./copy-json.ts";

const stringUnit = fc.constantFrom(...'ab "\\/\b\n\u0000\u001f\u007fä€\u2028💡', "__proto__");
const plenty = 1_000_000;

function nestLists(depth: number): unknown {
  let value: unknown = "x";
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

function reasonOf(value: unknown, bytesMax = plenty): string {
  const copied = copyJson(value, bytesMax);
  if (copied.kind !== "refused") throw new Error("was not refused");
  return copied.reason;
}

describe("the copy", () => {
  test("shares nothing with the original", () => {
    const original = { list: [{ a: 1 }], text: "x" };
    const copied = copyJson(original, plenty);
    if (copied.kind !== "copied") throw new Error(copied.reason);
    const copy = copied.value as { list: { a: number }[] };
    expect(copy).toEqual(original);
    expect(copy).not.toBe(original);
    expect(copy.list).not.toBe(original.list);
    expect(copy.list[0]).not.toBe(original.list[0]);
  });

  test("leaves a frozen original alone", () => {
    const original = Object.freeze({ list: Object.freeze([1, 2]) });
    expect(copyJson(original, plenty)).toMatchObject({ value: { list: [1, 2] } });
  });

  test("leaves out fields that are undefined", () => {
    const copied = copyJson({ a: undefined, b: 1, c: { d: undefined } }, plenty);
    expect(copied).toMatchObject({ kind: "copied", bytes: 14 });
    expect(JSON.stringify(copied.kind === "copied" && copied.value)).toBe('{"b":1,"c":{}}');
  });

  test("turns negative zero into zero", () => {
    const copied = copyJson([-0], plenty);
    expect(copied.kind === "copied" && Object.is((copied.value as number[])[0], 0)).toBe(true);
  });

  test("keeps a field named like a method of every object", () => {
    const copied = copyJson(JSON.parse('{"constructor":1,"toString":2}'), plenty);
    expect(copied).toMatchObject({ value: { constructor: 1, toString: 2 } });
  });

  test("takes a value of another realm into this one", () => {
    const copied = copyJson(runInNewContext("({ a: [1] })"), plenty);
    if (copied.kind !== "copied") throw new Error(copied.reason);
    expect(Object.getPrototypeOf(copied.value)).toBe(Object.prototype);
  });

  test("counts exactly the bytes of compact JSON, and gives an equal value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5, stringUnit }), (generated) => {
        const value: unknown = JSON.parse(JSON.stringify(generated));
        const copied = copyJson(value, plenty);
        if (copied.kind === "refused") expect(copied.reason).toContain("__proto__");
        else {
          expect(copied.value).toEqual(value);
          expect(copied.bytes).toBe(Buffer.byteLength(JSON.stringify(value)));
        }
      }),
      { seed: 2, numRuns: 500 },
    );
  });

  test("counts escapes, control characters and every length of UTF-8", () => {
    for (const text of ['"\\', "\b\t\n\f\r", "\u0000\u000b\u001f\u007f", "aä€💡", "\u2028"]) {
      const copied = copyJson({ [text]: text }, plenty);
      const expected = Buffer.byteLength(JSON.stringify({ [text]: text }));
      expect(copied).toMatchObject({ kind: "copied", bytes: expected });
    }
  });

  test.each<[unknown, number]>([
    ["x", 0],
    [[], 1],
    [{ a: 1 }, 1],
    [[[], [{ a: [] }], 1], 4],
  ])("says how deep %j is", (value, depth) => {
    expect(copyJson(value, plenty)).toMatchObject({ depth });
  });
});

describe("limits", () => {
  test.each<[unknown, number]>([
    ["four", 6],
    [[1, 2, 3], 7],
    [[], 2],
    [{}, 2],
    [{ a: 1, b: [true] }, 18],
    [null, 4],
    [1e21, 5],
  ])("takes %j at its size and refuses it one byte below", (value, bytes) => {
    expect(copyJson(value, bytes).kind).toBe("copied");
    expect(reasonOf(value, bytes - 1)).toBe(`is larger than ${bytes - 1} bytes`);
  });

  test("takes VALUE_DEPTH_MAX levels and refuses one more", () => {
    expect(copyJson(nestLists(VALUE_DEPTH_MAX), plenty)).toMatchObject({ depth: 64 });
    expect(reasonOf(nestLists(VALUE_DEPTH_MAX + 1))).toContain("nests deeper than 64");
  });

  test("takes a value of VALUE_BYTES_MAX bytes, and refuses one byte more", () => {
    expect(copyJson("x".repeat(VALUE_BYTES_MAX - 2), VALUE_BYTES_MAX).kind).toBe("copied");
    expect(copyJson("x".repeat(VALUE_BYTES_MAX - 1), VALUE_BYTES_MAX).kind).toBe("refused");
  });

  test("takes what carries values to the depth that it is told, and refuses one level more", () => {
    const deepest = copyJson(nestLists(JSON_DEPTH_MAX), plenty, JSON_DEPTH_MAX);
    expect(deepest).toMatchObject({ kind: "copied", depth: 128 });
    const deeper = copyJson(nestLists(JSON_DEPTH_MAX + 1), plenty, JSON_DEPTH_MAX);
    expect(deeper).toMatchObject({ kind: "refused" });
  });

  test("a value that is copied fits into whatever carries it", () => {
    let carried = nestLists(VALUE_DEPTH_MAX);
    // An event holds content, and content a field, in which a list of items may hold the value.
    for (let level = 0; level < 16; level++) carried = { carried };
    expect(() => canonicalize(carried)).not.toThrow();
  });

  test("refuses a cycle", () => {
    const cycle: Record<string, unknown> = {};
    cycle["a"] = { b: [cycle, cycle] };
    expect(reasonOf(cycle)).toContain("nests deeper than 64");
  });

  test("ends soon on a value that doubles at every level", () => {
    let value: unknown = ["x"];
    for (let level = 0; level < 60; level++) value = [value, value];
    expect(reasonOf(value, 10_000)).toBe("is larger than 10000 bytes");
  });

  test("ends soon on a huge list of holes", () => {
    expect(reasonOf(new Array(4_000_000_000), 1_000)).toBe("is larger than 1000 bytes");
  });
});

describe("refusals", () => {
  class Point {
    readonly x = 1;
  }
  const hostile = {
    get text(): string {
      throw new Error("secret");
    },
  };
  const proxied = new Proxy(
    {},
    {
      ownKeys: () => {
        throw new Error("secret");
      },
    },
  );

  test.each<[string, unknown, string]>([
    ["undefined", undefined, "is of type undefined"],
    ["an item that is undefined", [undefined], "/0 is of type undefined"],
    ["a hole", new Array(2), "/0 is of type undefined"],
    ["a function", { a: () => 1 }, "/a is of type function"],
    ["a symbol", [Symbol("a")], "/0 is of type symbol"],
    ["a big integer", 1n, "is of type bigint"],
    ["NaN", { a: [Number.NaN] }, "/a/0 is not a finite number"],
    ["Infinity", Number.POSITIVE_INFINITY, "is not a finite number"],
    ["a date", { at: new Date(0) }, "/at is not a plain object"],
    ["a map", new Map(), "is not a plain object"],
    ["an instance of a class", new Point(), "is not a plain object"],
    ["an object with a symbol as key", { [Symbol("a")]: 1 }, "is not a plain object"],
    ["a lone surrogate", { a: "\ud800" }, "/a holds a lone surrogate"],
    ["a key with a lone surrogate", { "\udc00": 1 }, "has a key with a lone surrogate"],
    [
      "a field named __proto__",
      JSON.parse('{"a":{"__proto__":1}}'),
      "/a has a field named __proto__",
    ],
    ["a getter that throws", hostile, "cannot be read"],
    ["a proxy that throws", [proxied], "cannot be read"],
  ])("refuses %s", (_, value, reason) => {
    expect(copyJson(value, plenty)).toEqual({ kind: "refused", reason });
  });

  test("reports the first reason only", () => {
    expect(reasonOf([Number.NaN, () => 1])).toBe("/0 is not a finite number");
  });
});
