import { readFileSync } from "node:fs";
import type { JsonObject, JsonValue, Mapping } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { EXPRESSION_STEPS_MAX } from "../bounded/condition/expression.ts";
import { UNITS_PER_STEP } from "../bounded/condition/spend-on-text.ts";
import { cpuMs } from "../cpu-ms.test.data.ts";
import { applyMapping, type MappedFields, parseSource, readsRecord } from "./checked-mapping.ts";

interface Vector {
  readonly description: string;
  readonly input: { readonly cel: string; readonly known: JsonObject };
  readonly expect: object;
}

const file = new URL("../../../../spec/vectors/mapping/expression.json", import.meta.url);
const vectors = JSON.parse(readFileSync(file, "utf8")) as Vector[];

function parse(mapping: Mapping, names: readonly string[]) {
  return Object.entries(mapping).map(([field, written]) => {
    const source = parseSource(written, names);
    if (source.kind === "refused") throw new Error(source.reason);
    return { field, source };
  });
}

function apply(cels: readonly string[], known: JsonObject): MappedFields {
  const mapping = Object.fromEntries(cels.map((cel, index) => [`f${index}`, { cel }]));
  return applyMapping(parse(mapping, Object.keys(known)), known);
}

describe("spec/vectors/mapping/expression.json", () => {
  test.each(vectors.map((vector) => [vector.description, vector] as const))("%s", (_, vector) => {
    const { cel, known } = vector.input;
    const before = JSON.stringify(known);
    expect(answer(cel, known)).toEqual(vector.expect);
    expect(JSON.stringify(known)).toBe(before);
  });

  function answer(cel: string, known: JsonObject): object {
    if (parseSource({ cel }, Object.keys(known)).kind === "refused") return { refused: true };
    const mapped = apply([cel], known);
    if (mapped.kind === "mapped") return { value: mapped.fields["f0"] };
    return mapped.kind === "failed" ? { failure: mapped.failure } : mapped;
  }
});

test.each<[string, string]>([
  ["'a' + ", "(at character 7)"],
  ["inptu.a", "`inptu` is not known; did you mean input? (at character 1)"],
  ["1 + stps", "`stps` is not known; there are input, found (at character 5)"],
  ["input.a / 2", "there is no division: compare with a product instead (at character 1)"],
  ["x".repeat(2_001), "is longer than 2000 characters"],
])("says what is wrong, and where %#", (cel, reason) => {
  expect(parseSource({ cel }, ["input", "found"])).toMatchObject({
    kind: "refused",
    rule: "mapping-expression",
    reason: expect.stringContaining(reason),
  });
});

describe("what documents and inputs make of a mapping is bounded", () => {
  const numbers = Array.from({ length: 1_000 }, (_, index) => index);
  const long = "a".repeat(1024 * 1024);
  const doubled = (times: number) => `[input.t]${".map(a, [a, a])".repeat(times)}`;
  test.each<[string, string, JsonValue]>([
    ["a text that doubles", `[input.t]${".map(a, a + a)".repeat(28)}`, { t: "ab" }],
    ["a value that doubles", doubled(28), { t: 1 }],
    [
      "a large text that is put into a list often",
      "input.l.map(a, input.t)",
      { l: numbers, t: long },
    ],
    [
      "a large object that is put into a list often",
      "input.l.map(a, input)",
      { l: numbers, t: long },
    ],
    ["lists in lists", "input.l.map(a, input.l.map(b, input.l))", { l: numbers }],
    ["names of fields", "input.l.map(a, input.o)", { l: numbers, o: { [long]: 1 } }],
  ])("%s", (_, cel, input) => {
    let mapped: MappedFields | undefined;
    const ms = cpuMs(() => {
      mapped = apply([cel], { input });
    });
    expect(mapped).toMatchObject({ kind: "failed", failure: "steps-exhausted", expression: cel });
    expect(ms).toBeLessThan(1_000);
  });

  test("many expressions have the steps of one", () => {
    const cels = Array.from({ length: 256 }, () => "input.l.all(a, input.l.all(b, true))");
    const input = { l: numbers.slice(0, 400) };
    expect(apply(cels.slice(0, 1), { input })).toMatchObject({ kind: "mapped" });
    expect(apply(cels, { input })).toMatchObject({ kind: "failed", field: "f1" });
  });

  test("a value of as many steps as there are is given, and one more is not", () => {
    // Two parts, the value itself, and its text.
    const text = "a".repeat((EXPRESSION_STEPS_MAX - 3) * UNITS_PER_STEP);
    expect(apply(["input.t"], { input: { t: text } })).toMatchObject({ kind: "mapped" });
    const longer = text + "a".repeat(UNITS_PER_STEP);
    expect(apply(["input.t"], { input: { t: longer } })).toMatchObject({ kind: "failed" });
  });
});

test.each([
  "found.trace",
  "found",
  "[found].map(step, step.durationMs)",
  "found[input.fact]",
  "has(found.endedAt) ? 1 : 2",
])("an expression that reads times or trace is known to: %s", (cel) => {
  expect(readsRecord(parse({ a: { cel } }, ["input", "found"]))).toBe(true);
});

test.each(["input.trace", "found.output.trace", "found.status + found.loopId", "'found.trace'"])(
  "an expression that reads neither is known not to: %s",
  (cel) => {
    expect(readsRecord(parse({ a: { cel } }, ["input", "found"]))).toBe(false);
  },
);
