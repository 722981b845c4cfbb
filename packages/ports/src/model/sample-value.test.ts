import type { JsonSchema } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { sampleValue } from "./sample-value.ts";

test.each<[string, JsonSchema, unknown]>([
  ["a constant", { const: { a: 1 } }, { a: 1 }],
  ["a default", { type: "string", default: "usual" }, "usual"],
  ["the first of a list", { enum: ["b", "a"] }, "b"],
  ["the first alternative", { oneOf: [{ type: "null" }, { type: "string" }] }, null],
  ["a boolean", { type: "boolean" }, true],
  ["the first of several types", { type: ["integer", "null"] }, 0],
  ["a number at its minimum", { type: "number", minimum: 2.5 }, 2.5],
  ["a number above an excluded minimum", { type: "integer", exclusiveMinimum: 4 }, 5],
  ["a text as long as it must be", { type: "string", minLength: 6 }, "textxx"],
  [
    "only required fields",
    { properties: { a: { type: "null" }, b: {} }, required: ["a"] },
    { a: null },
  ],
  [
    "a list with its beginning and its least length",
    { type: "array", prefixItems: [{ const: 1 }], items: { const: 2 }, minItems: 3 },
    [1, 2, 2],
  ],
  ["null where nothing is said", {}, null],
  ["null for a schema that is only true", true, null],
])("%s", (_, schema, expected) => {
  expect(sampleValue(schema)).toEqual(expected);
});

test("a schema that asks for endless lists of lists is answered with a bounded one", () => {
  let schema: JsonSchema = { type: "string" };
  for (let depth = 0; depth < 12; depth++) {
    schema = { type: "array", items: schema, minItems: 1_000_000 };
  }
  expect(JSON.stringify(sampleValue(schema)).length).toBeLessThan(20_000);
});

test("a schema that asks for an endless text is answered with a bounded one", () => {
  expect(String(sampleValue({ type: "string", minLength: 2 ** 53 - 1 }))).toHaveLength(10_000);
});
