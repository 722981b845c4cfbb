import { JSON_DEPTH_MAX, type JsonValue, NEAREST_LENGTH_MAX } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { cpuMs } from "../../cpu-ms.test.data.ts";
import { INPUT_BYTES_MAX, VALIDATION_NESTING_MAX, VALIDATION_STEPS_MAX } from "../../limits.ts";
import { createValidator } from "./schema-validator.ts";

const validate = (schema: unknown, value: unknown): readonly string[] =>
  createValidator(schema as JsonValue)(value as JsonValue);

test("a problem has a pointer to the value and says what it must be", () => {
  const schema = {
    type: "object",
    properties: {
      name: { type: "string", minLength: 2 },
      tags: { type: "array", items: { enum: ["a", "b"] }, maxItems: 2 },
    },
    required: ["name", "age"],
    additionalProperties: false,
  };
  expect(validate(schema, { name: "x", tags: ["a", "c"], secret: 1 })).toEqual([
    "/age: is missing",
    "/name: must have at least 2 characters",
    "/tags/1: must be one of the listed values",
    "/secret: is a field that is not allowed",
  ]);
});

test("a value that fits none of its alternatives is told from one that fits several", () => {
  const schema = { oneOf: [{ minimum: 1 }, { maximum: 5 }, { type: "string" }] };
  expect(validate(schema, 7)).toEqual([]);
  expect(validate(schema, 3)).toEqual([": must fit only one of the alternatives"]);
  expect(validate({ oneOf: [false, false] }, 3)).toEqual([": must fit one of the alternatives"]);
});

test("a pointer is escaped", () => {
  expect(validate({ additionalProperties: { type: "null" } }, { "a/b~c": 1 })).toEqual([
    "/a~1b~0c: must be null",
  ]);
});

test("a value is never changed", () => {
  const schema = {
    type: "object",
    properties: { a: { type: "integer", default: 7 }, b: { type: ["string", "number"] } },
    additionalProperties: { default: 1 },
  };
  const value = { b: "5", c: null };
  expect(validate(schema, value)).toEqual([]);
  expect(value).toEqual({ b: "5", c: null });
});

test("unknown formats and keywords are ignored", () => {
  expect(validate({ format: "e-mail", nullable: false, "x-any": {} }, "no address")).toEqual([]);
});

test("only own fields count", () => {
  expect(validate({ required: ["toString"] }, {})).toEqual(["/toString: is missing"]);
  expect(validate({ properties: { constructor: false } }, {})).toEqual([]);
  expect(validate({ dependentRequired: { valueOf: ["a"] } }, {})).toEqual([]);
});

test("prefixItems and unevaluatedProperties are enforced, as 2020-12 has them", () => {
  const list = { prefixItems: [{ type: "string" }], items: false };
  expect(validate(list, ["a"])).toEqual([]);
  expect(validate(list, [1])).toEqual(["/0: must be string"]);
  expect(validate(list, ["a", 1])).toEqual(["/1: must not be present"]);
  const object = {
    allOf: [{ properties: { a: {} } }],
    properties: { b: {} },
    unevaluatedProperties: false,
  };
  expect(validate(object, { a: 1, b: 2 })).toEqual([]);
  expect(validate(object, { a: 1, c: 3 })).toEqual([
    '/c: is a field that is not allowed: did you mean "b"?',
  ]);
});

test("a field that is not allowed is named, with the one that was probably meant", () => {
  const schema = { properties: { limit: {}, query: {} }, additionalProperties: false };
  expect(validate(schema, { limt: 1, q: 2 })).toEqual([
    '/limt: is a field that is not allowed: did you mean "limit"?',
    "/q: is a field that is not allowed",
  ]);
  const nested = { properties: { to: schema } };
  expect(validate(nested, { to: { querry: 1 } })).toEqual([
    '/to/querry: is a field that is not allowed: did you mean "query"?',
  ]);
  const unevaluated = { allOf: [{ properties: { limit: {} } }], unevaluatedProperties: false };
  expect(validate(unevaluated, { a: 1 })).toEqual(["/a: is a field that is not allowed"]);
  const names = { propertyNames: { pattern: "^[a-z]+$" } };
  expect(validate(names, { ok: 1, "Not ok": 2 })).toEqual([
    "/Not ok: is a field that is not allowed",
  ]);
});

test("a name that is too long to be one is not repeated: it may be content", () => {
  const schema = { properties: { limit: {} }, additionalProperties: false };
  const longest = "a".repeat(NEAREST_LENGTH_MAX);
  expect(validate(schema, { [longest]: 1 })).toEqual([
    `/${longest}: is a field that is not allowed`,
  ]);
  expect(validate(schema, { [`${longest}a`]: 1 })).toEqual([
    ": has a field that is not allowed, with a very long name",
  ]);
});

test("multiples are exact in decimals", () => {
  expect(validate({ multipleOf: 0.01 }, 19.99)).toEqual([]);
  expect(validate({ multipleOf: 0.01 }, 19.995)).toEqual([": must be a multiple of 0.01"]);
  expect(validate({ multipleOf: 1e-300 }, 1e300)).toEqual([]);
  expect(validate({ multipleOf: 3 }, 1e300)).toEqual([": must be a multiple of 3"]);
  expect(validate({ multipleOf: 2.5 }, -7.5)).toEqual([]);
});

test("a union that its constants tell apart is quick, however deep the value is", () => {
  const kinds = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const schema = {
    oneOf: kinds.map((kind) => ({
      type: "object",
      // In order of their names, the fields that go deeper come first.
      properties: { children: { type: "array", items: { $ref: "#" } }, kind: { const: kind } },
      required: ["kind"],
    })),
  };
  let tree: JsonValue = { kind: "h", children: [] };
  for (let depth = 0; depth < 60; depth++) tree = { kind: "g", children: [tree] };
  expect(validate(schema, tree)).toEqual([]);
  expect(validate(schema, { kind: "a", children: [{ kind: "z" }] })).toHaveLength(1);
});

test("a validation takes up to VALIDATION_STEPS_MAX steps, and is refused beyond them", () => {
  // One step for the list, and for each of its items one for the subschema.
  const schema = { allOf: Array(7).fill({ items: {} }) };
  const stepsOf = (items: number) => 1 + 7 * (1 + items);
  const fitting = Math.floor((VALIDATION_STEPS_MAX - stepsOf(0)) / 7);
  expect(stepsOf(fitting)).toBeLessThanOrEqual(VALIDATION_STEPS_MAX);
  expect(validate(schema, Array(fitting).fill(1))).toEqual([]);
  expect(stepsOf(fitting + 1)).toBeGreaterThan(VALIDATION_STEPS_MAX);
  expect(validate(schema, Array(fitting + 1).fill(1))).toEqual([": takes too long to validate"]);
});

test("the longest text that can be taken is validated by a pattern", () => {
  const schema = { type: "string", pattern: "^[a-z]*$", maxLength: 2 * INPUT_BYTES_MAX };
  expect(validate(schema, "a".repeat(INPUT_BYTES_MAX))).toEqual([]);
});

test("the largest list that can be taken is validated by a schema of everyday size", () => {
  const schema = { items: { type: ["number", "string"], minimum: 0, maxLength: 5 } };
  expect(validate(schema, Array(INPUT_BYTES_MAX / 2).fill(1))).toEqual([]);
});

test("subschemas apply inside each other up to VALIDATION_NESTING_MAX, and no deeper", () => {
  const chain = (length: number) => ({
    $ref: "#/$defs/d1",
    $defs: Object.fromEntries(
      Array.from({ length }, (_, index) => [
        `d${index + 1}`,
        index + 1 === length ? {} : { $ref: `#/$defs/d${index + 2}` },
      ]),
    ),
  });
  expect(validate(chain(VALIDATION_NESTING_MAX - 1), 1)).toEqual([]);
  expect(validate(chain(VALIDATION_NESTING_MAX), 1)).toEqual([": takes too long to validate"]);
});

test("the deepest value that can be taken is validated by a schema for trees", () => {
  let value: JsonValue = [];
  for (let depth = 1; depth < JSON_DEPTH_MAX; depth++) value = [value];
  const schema = { anyOf: [{ type: "array", items: { $ref: "#" } }, { type: "string" }] };
  expect(validate(schema, value)).toEqual([]);
});

test.each<[string, unknown, unknown]>([
  [
    "alternatives that all go deeper",
    { anyOf: Array(3).fill({ items: { $ref: "#" }, minItems: 1 }) },
    nestLists(100),
  ],
  ["many equal items", { uniqueItems: true }, Array.from({ length: 100_000 }, (_, index) => index)],
  ["equal items inside each other", { uniqueItems: true, items: { $ref: "#" } }, nestPairs(120)],
  ["many alternatives for many items", { items: { anyOf: consts(400) } }, Array(100_000).fill(399)],
  [
    "a long list of structures",
    { items: { enum: structures(500) } },
    Array(50_000).fill({ a: 499, b: [1] }),
  ],
  [
    "many fields for many objects",
    { items: { properties: fields(2_000) } },
    Array(100_000).fill({}),
  ],
  [
    "many patterns for a long text",
    { allOf: Array(500).fill({ pattern: "^[a-z]*$" }) },
    "a".repeat(1_000_000),
  ],
  [
    "many lengths of a long text",
    { allOf: Array(500).fill({ maxLength: 600_000 }) },
    "a".repeat(1_000_000),
  ],
  ["many names against many patterns", { patternProperties: patterns(300) }, fields(50_000)],
  ["decimals of the greatest span", { items: { multipleOf: 1e-300 } }, Array(100_000).fill(1e300)],
])("%s end within two seconds", (_, schema, value) => {
  expect(cpuMs(() => validate(schema, value))).toBeLessThan(2_000);
});

function nestLists(depth: number): JsonValue {
  return depth === 0 ? [] : [nestLists(depth - 1)];
}
function nestPairs(depth: number): JsonValue {
  return depth === 0 ? Array(100_000).fill(1) : [nestPairs(depth - 1), [0]];
}
function consts(count: number): JsonValue[] {
  return Array.from({ length: count }, (_, index) => ({ const: index }));
}
function structures(count: number): JsonValue[] {
  return Array.from({ length: count }, (_, index) => ({ a: index, b: [1] }));
}
function fields(count: number): JsonValue {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, true]));
}
function patterns(count: number): JsonValue {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`^q${index}`, true]));
}
