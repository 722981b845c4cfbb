import type { JsonValue } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { sampleValue } from "./sample-value.ts";

const text = { type: "string" };

test.each<[JsonValue, JsonValue]>([
  [true, "..."],
  [{}, "..."],
  [text, "..."],
  [{ type: "string", minLength: 5 }, "....."],
  [{ type: "string", maxLength: 2 }, ".."],
  [{ type: "string", minLength: 100_000 }, ".".repeat(100)],
  [{ type: "integer", minimum: 3 }, 3],
  [{ type: "integer", exclusiveMinimum: 3 }, 4],
  [{ type: "number", maximum: 0 }, 0],
  [{ type: "number" }, 1],
  [{ type: "boolean" }, true],
  [{ type: "null" }, null],
  [{ type: ["null", "string"] }, "..."],
  [{ const: 7 }, 7],
  [{ enum: ["a", "b"] }, "a"],
  [{ type: "string", default: "x", examples: ["y"] }, "x"],
  [{ type: "string", examples: ["y"] }, "y"],
  [{ anyOf: [{ type: "boolean" }, text] }, true],
  [{ type: "array", items: text }, []],
  [{ type: "array", items: text, minItems: 2 }, ["...", "..."]],
  [
    { properties: { a: text, b: text }, required: ["a", "__proto__"] },
    { a: "...", ["__proto__"]: "..." },
  ],
])("%j is shown as %j", (schema, sample) => {
  expect(sampleValue(schema)).toEqual(sample);
});

test("a schema that nests without an end is shown to some depth", () => {
  const schema: { [key: string]: JsonValue } = { required: ["a"], type: "object" };
  let nested: JsonValue = schema;
  for (let depth = 0; depth < 50; depth++)
    nested = { type: "object", required: ["a"], properties: { a: nested } };
  expect(JSON.stringify(sampleValue(nested)).split('"a"')).toHaveLength(8);
});

test("lists of lists of objects with many names are shown in part", () => {
  const required = Array.from({ length: 500 }, (_, index) => `name${index}`);
  let schema: JsonValue = { type: "object", required };
  for (let depth = 0; depth < 5; depth++) schema = { type: "array", minItems: 8, items: schema };
  expect(JSON.stringify(sampleValue(schema)).length).toBeLessThan(10_000);
  expect(Object.keys(Object(sampleValue({ type: "object", required })))).toHaveLength(199);
});
