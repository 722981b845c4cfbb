/**
 * A second opinion: another validator must agree over random schemas and values.
 *
 * Left out are `unevaluated*`, where the other one is known to deviate from the standard; tables
 * of cases stand for them below.
 */
import type { JsonObject, JsonValue } from "@turnseal/protocol";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { compileSchema } from "./compile-schema.ts";
import { evaluate } from "./evaluation.ts";

const anyAB: JsonValue = {
  anyOf: [{ properties: { a: { type: "number" } } }, { properties: { b: {} } }],
};
const nested: JsonValue = { unevaluatedProperties: false };
const failing: JsonValue = { prefixItems: [{}, { type: "string" }] };

// Small alphabets, so that schemas and values meet.
const name = fc.constantFrom("a", "b", "c");
const scalar = fc.constantFrom<JsonValue>(null, true, false, 0, 1, 2.5, -1, "", "a", "ab", "💡");
const small = { maxKeys: 3, noNullPrototype: true };
const { value: anyValue } = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(name, tie("value"), small),
  ),
}));
const count = fc.integer({ min: 0, max: 3 });
const names = fc.uniqueArray(name, { maxLength: 2 });
const typeName = fc.constantFrom(
  "null",
  "boolean",
  "number",
  "integer",
  "string",
  "array",
  "object",
);

const scalarKeywords: Record<string, fc.Arbitrary<JsonValue>> = {
  type: fc.oneof(typeName, fc.uniqueArray(typeName, { minLength: 1, maxLength: 3 })),
  const: anyValue,
  enum: fc.array(anyValue, { minLength: 1, maxLength: 3 }),
  minimum: count,
  maximum: count,
  exclusiveMinimum: count,
  exclusiveMaximum: count,
  multipleOf: fc.constantFrom(1, 2, 0.5),
  minLength: count,
  maxLength: count,
  pattern: fc.constantFrom("^a", "b$", "."),
  minItems: count,
  maxItems: count,
  uniqueItems: fc.boolean(),
  required: names,
  minProperties: count,
  maxProperties: count,
  dependentRequired: fc.dictionary(name, names, small),
};

const { schema: anySchema } = fc.letrec<{ schema: JsonValue }>((tie) => {
  const schema = tie("schema");
  const list = fc.array(schema, { minLength: 1, maxLength: 3 });
  const keywords: Record<string, fc.Arbitrary<JsonValue>> = {
    ...scalarKeywords,
    properties: fc.dictionary(name, schema, small),
    patternProperties: fc.dictionary(fc.constantFrom("^a", "[bc]"), schema, small),
    dependentSchemas: fc.dictionary(name, schema, small),
    ...{ prefixItems: list, allOf: list, anyOf: list, oneOf: list },
    ...{ items: schema, additionalProperties: schema, propertyNames: schema, not: schema },
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
    ...{ if: schema, then: schema, else: schema },
  };
  const entries = Object.entries(keywords).map(([keyword, value]) =>
    value.map((given): [string, JsonValue] => [keyword, given]),
  );
  const object = fc
    .array(fc.oneof(...entries), { maxLength: 4 })
    .map(Object.fromEntries<JsonValue>);
  return {
    schema: fc.oneof({ maxDepth: 4, withCrossShrink: true }, fc.boolean(), object, object, object),
  };
});

test("it agrees with ajv over random schemas and values", () => {
  const ajv = new Ajv2020({ strict: false, logger: false, validateSchema: false });
  let valid = 0;
  let invalid = 0;
  fc.assert(
    fc.property(anySchema, fc.array(anyValue, { minLength: 1, maxLength: 8 }), (schema, values) => {
      const accepts = ajv.compile(schema as object);
      ajv.removeSchema();
      const check = compileSchema(schema);
      for (const value of values) {
        const isValid = evaluate(check, value).length === 0;
        expect(isValid, JSON.stringify({ schema, value })).toBe(accepts(value));
        if (isValid) valid++;
        else invalid++;
      }
    }),
    { seed: 7, numRuns: 1_000 },
  );
  // Agreement on one answer only would say little.
  expect(Math.min(valid, invalid)).toBeGreaterThan(500);
});

test.each<[string, JsonValue, JsonValue, boolean]>([
  ["properties cover", { properties: { a: {} } }, { a: 1 }, true],
  ["what is left is refused", { properties: { a: {} } }, { b: 1 }, false],
  ["patterns cover", { patternProperties: { "^a": {} } }, { ab: 1 }, true],
  ["additional properties cover", { additionalProperties: {} }, { b: 1 }, true],
  [
    "references cover",
    { $ref: "#/$defs/d", $defs: { d: { properties: { a: {} } } } },
    { a: 1 },
    true,
  ],
  ["all alternatives that hold cover", anyAB, { a: 1, b: 1 }, true],
  ["an alternative that fails does not", anyAB, { a: "x", b: 1 }, false],
  ["a negation never covers", { not: { not: { properties: { a: {} } } } }, { a: 1 }, false],
  ["a condition that holds covers", { if: { properties: { a: { const: 1 } } } }, { a: 1 }, true],
  ["one that fails does not", { if: { properties: { a: { const: 1 } } } }, { a: 2 }, false],
  ["the branch covers", { if: false, else: { properties: { a: {} } } }, { a: 1 }, true],
  ["the other branch does not", { if: true, else: { properties: { a: {} } } }, { a: 1 }, false],
  [
    "a dependent schema covers",
    { dependentSchemas: { a: { properties: { a: {} } } } },
    { a: 1 },
    true,
  ],
  [
    "a schema below does not cover",
    { properties: { a: { properties: { b: {} } } } },
    { b: 1 },
    false,
  ],
  ["nested ones cover", { allOf: [{ unevaluatedProperties: true }] }, { a: 1 }, true],
  ["what stands beside does not", { allOf: [{ properties: { a: {} } }, nested] }, { a: 1 }, false],
])("unevaluated properties: %s", (_, schema, value, expected) => {
  const whole = { ...(schema as JsonObject), unevaluatedProperties: false };
  expect(evaluate(compileSchema(whole), value).length === 0).toBe(expected);
});

test.each<[string, JsonValue, JsonValue, boolean]>([
  ["a prefix covers its items", { prefixItems: [{}] }, [1], true],
  ["and no more", { prefixItems: [{}] }, [1, 2], false],
  ["items cover all", { items: {} }, [1, 2, 3], true],
  ["what is contained is covered", { contains: { const: 1 } }, [1, 1], true],
  ["what is not is left", { contains: { const: 1 } }, [1, 2], false],
  [
    "alternatives cover",
    { anyOf: [{ prefixItems: [{}] }, { prefixItems: [{}, {}] }] },
    [1, 2],
    true,
  ],
  ["a longer one that fails does not", { anyOf: [{ prefixItems: [{}] }, failing] }, [1, 2], false],
  ["the other branch does not", { if: true, else: { items: false } }, [1], false],
])("unevaluated items: %s", (_, schema, value, expected) => {
  const whole = { ...(schema as JsonObject), unevaluatedItems: false };
  expect(evaluate(compileSchema(whole), value).length === 0).toBe(expected);
});
