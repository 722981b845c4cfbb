import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonValue } from "../canonical-json.ts";
import { fitsPattern, isPattern, PATTERN_FIELDS_MAX, PATTERN_LENGTH_MAX } from "./pattern.ts";

interface Vector {
  readonly description: string;
  readonly input: { readonly pattern: JsonValue; readonly arguments: JsonValue };
  readonly expect: { readonly fits: boolean };
}

const file = new URL("../../../../spec/vectors/approval/patterns.json", import.meta.url);
const vectors = JSON.parse(readFileSync(file, "utf8")) as Vector[];

describe("spec/vectors/approval/patterns.json", () => {
  test.each(vectors.map((vector) => [vector.description, vector] as const))("%s", (_, vector) => {
    expect(fitsPattern(vector.input.pattern, vector.input.arguments)).toBe(vector.expect.fits);
  });
});

test("a pattern has at most PATTERN_FIELDS_MAX fields", () => {
  const of = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { any: true }]));
  expect(isPattern(of(PATTERN_FIELDS_MAX))).toBe(true);
  expect(isPattern(of(PATTERN_FIELDS_MAX + 1))).toBe(false);
});

test("a pattern has at most PATTERN_LENGTH_MAX units", () => {
  const frame = JSON.stringify({ a: { equals: "" } }).length;
  const of = (length: number) => ({ a: { equals: "x".repeat(length - frame) } });
  expect(isPattern(of(PATTERN_LENGTH_MAX))).toBe(true);
  expect(isPattern(of(PATTERN_LENGTH_MAX + 1))).toBe(false);
});
