import { canonicalize, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { createValidator } from "../bounded/schema/schema-validator.ts";
import { cpuMs } from "../cpu-ms.test.data.ts";
import { SCHEMA_BYTES_MAX, SCHEMA_DEPTH_MAX, SCHEMA_PATTERNS_MAX } from "../limits.ts";
import { checkSchema } from "./check-schema.ts";
import { createReport } from "./report.ts";

/** The problems of a schema, as `rule path`. */
function problemsOf(schema: unknown): string[] {
  const report = createReport();
  checkSchema(schema as JsonValue, "", report);
  return report.problems.map(({ rule, path }) => `${rule} ${path}`);
}

/** A schema of `depth` subschemas inside each other. */
function nest(depth: number, wrap: (inner: JsonValue) => JsonValue): JsonValue {
  let schema: JsonValue = { type: "string" };
  for (let level = 0; level < depth; level++) schema = wrap(schema);
  return schema;
}

const draft04 = { $schema: "http://json-schema.org/draft-04/schema#" };

test.each<[string, unknown]>([
  ["true", true],
  ["false", false],
  ["an empty one", {}],
  ["its own dialect", { $schema: "https://json-schema.org/draft/2020-12/schema" }],
  ["its own dialect with a fragment", { $schema: "https://json-schema.org/draft/2020-12/schema#" }],
  ["draft 07", { $schema: "http://json-schema.org/draft-07/schema", definitions: { a: {} } }],
  ["draft 04 by https", { $schema: "https://json-schema.org/draft-04/schema#", id: "urn:a" }],
  ["a root $id", { $id: "https://example.com/loop", type: "object" }],
  ["keywords of others", { nullable: true, discriminator: { propertyName: "a" }, "x-order": 1 }],
  ["a list of nothing", { enum: [] }],
  ["a reference to the root", { properties: { child: { $ref: "#" } } }],
  ["a reference through a list", { $ref: "#/allOf/0", allOf: [{ type: "string" }] }],
  ["a reference with escapes", { $ref: "#/$defs/a~1b%25", $defs: { "a/b%": {} } }],
  ["an anchor", { $ref: "#here", $defs: { a: { $anchor: "here" } } }],
  ["a field called $ref", { properties: { $ref: { type: "string" } } }],
  [
    "names of a prototype",
    { properties: { constructor: {}, toString: {} }, required: ["valueOf"] },
  ],
])("%s is accepted", (_, schema) => {
  expect(problemsOf(schema)).toEqual([]);
});

test.each<[string, string, unknown]>([
  ["schema-invalid /type", "an unknown type", { type: "text" }],
  ["schema-invalid /type", "no type in a list", { type: [] }],
  ["schema-invalid /minLength", "a negative length", { minLength: -1 }],
  ["schema-invalid /multipleOf", "a multiple of nothing", { multipleOf: 0 }],
  ["schema-invalid /required", "a name twice", { required: ["a", "a"] }],
  ["schema-invalid /properties/a", "a subschema that is a number", { properties: { a: 7 } }],
  ["schema-invalid /allOf", "an empty list of subschemas", { allOf: [] }],
  ["schema-invalid /items", "the items of draft 07", { items: [{ type: "string" }] }],
  ["schema-invalid /$schema", "draft 03", { $schema: "http://json-schema.org/draft-03/schema#" }],
  ["schema-invalid /$schema", "a dialect that is no text", { $schema: 5 }],
  ["schema-invalid /$id", "an $id that is no text", { $id: 5 }],
  ["schema-invalid /$anchor", "an anchor that is no name", { $anchor: "#a" }],
  ["schema-invalid /items/$schema", "another dialect below", { items: { $schema: "urn:other" } }],
  ["schema-reference /$ref", "a remote reference", { $ref: "https://example.com/other" }],
  ["schema-reference /$ref", "a relative reference", { $ref: "other.json#/a" }],
  ["schema-reference /$ref", "a reference to nowhere", { $ref: "#/$defs/absent" }],
  ["schema-reference /$ref", "an absent anchor", { $ref: "#absent" }],
  ["schema-reference /$ref", "a malformed escape", { $ref: "#/$defs/%E0%A4%A", $defs: {} }],
  ["schema-reference /$ref", "what is no schema", { $ref: "#/required", required: ["a"] }],
  ["schema-reference /$ref", "what was not checked", { $ref: "#/x", x: { $ref: "urn:a" } }],
  ["schema-reference /$ref", "the name of a prototype", { $ref: "#/$defs/constructor", $defs: {} }],
  ["schema-reference /$dynamicRef", "a dynamic reference", { $dynamicRef: "#a" }],
  ["schema-reference /$dynamicAnchor", "a dynamic anchor", { $dynamicAnchor: "a" }],
  ["schema-reference /$recursiveRef", "a recursive reference", { $recursiveRef: "#" }],
  ["schema-reference /$recursiveAnchor", "a recursive anchor", { $recursiveAnchor: true }],
  ["schema-reference /items/$id", "an $id below the root", { items: { $id: "urn:a" } }],
  ["schema-reference /items/id", "such an id of draft 04", { ...draft04, items: { id: "urn:a" } }],
  ["schema-reference ", "an anchor twice", { $anchor: "a", items: { $anchor: "a" } }],
  ["schema-reference ", "a reference to itself", { $ref: "#" }],
  [
    "schema-reference ",
    "an alternative that is itself",
    { anyOf: [{ type: "null" }, { $ref: "#" }] },
  ],
  ["schema-pattern /pattern", "what is no pattern", { pattern: "(" }],
  ["schema-pattern /pattern", "a pattern that backtracks", { pattern: "^(a+)+$" }],
  ["schema-pattern /patternProperties", "such a name", { patternProperties: { "(a|a)*b": {} } }],
  ["schema-pattern /items/pattern", "such a pattern below", { items: { pattern: "(\\w*)*x" } }],
])("%s: %s is refused", (problem, _, schema) => {
  expect(problemsOf(schema)).toEqual([problem]);
});

test("a field called __proto__ is refused wherever a schema names fields", () => {
  for (const keyword of ["properties", "patternProperties", "$defs", "dependentSchemas"]) {
    const schema = JSON.parse(`{"${keyword}": {"__proto__": {"type": "string"}}}`);
    expect(problemsOf(schema)).toContain("name-reserved ");
  }
});

test("a schema has up to SCHEMA_BYTES_MAX bytes, and is refused beyond them", () => {
  const empty = canonicalize({ description: "" }).length;
  for (const unit of ["x", "ä"]) {
    const width = new TextEncoder().encode(unit).length;
    const room = SCHEMA_BYTES_MAX - empty;
    const description = unit.repeat(Math.floor(room / width)) + "x".repeat(room % width);
    expect(problemsOf({ description })).toEqual([]);
    expect(problemsOf({ description: `${description}x` })).toEqual(["schema-size "]);
  }
});

test("a schema nests up to SCHEMA_DEPTH_MAX levels, and is refused beyond them", () => {
  const wraps: ((inner: JsonValue) => JsonObject)[] = [
    (inner) => ({ items: inner }),
    (inner) => ({ properties: { a: inner } }),
    (inner) => ({ allOf: [inner] }),
    (inner) => ({ not: inner }),
    (inner) => ({ $defs: { a: inner } }),
  ];
  for (const wrap of wraps) {
    expect(problemsOf(nest(SCHEMA_DEPTH_MAX, wrap))).toEqual([]);
    const [problem] = problemsOf(nest(SCHEMA_DEPTH_MAX + 1, wrap));
    expect(problem).toMatch(/^schema-depth /);
  }
});

test("a schema has up to SCHEMA_PATTERNS_MAX patterns that differ, and no more", () => {
  const fields = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`p${index}`, { pattern: `^item-${index}$` }]),
    );
  expect(problemsOf({ properties: fields(SCHEMA_PATTERNS_MAX) })).toEqual([]);
  expect(problemsOf({ properties: fields(SCHEMA_PATTERNS_MAX + 5) })).toEqual([
    `schema-pattern /properties/p${SCHEMA_PATTERNS_MAX}/pattern`,
  ]);
  const repeated = Array(500).fill({ pattern: "^same$" });
  expect(problemsOf({ allOf: repeated })).toEqual([]);
});

test("a problem points to its place, also below a name with a slash", () => {
  expect(problemsOf({ properties: { "a/b": { items: { type: 5 } } } })).toEqual([
    "schema-invalid /properties/a~1b/items/type",
  ]);
  expect(problemsOf({ $defs: { "a~/b": { $ref: "#nowhere" } } })).toEqual([
    "schema-reference /$defs/a~0~1b/$ref",
  ]);
});

test("cycles of references end as a refusal, at any length", () => {
  for (const length of [1, 2, 3, 500]) {
    const $defs = Object.fromEntries(
      Array.from({ length }, (_, index) => [
        `d${index}`,
        { $ref: `#/$defs/d${(index + 1) % length}` },
      ]),
    );
    expect(problemsOf({ $defs })).toEqual(["schema-reference "]);
    // A reference that goes into the value on its way is no endless one.
    expect(problemsOf({ $defs: { ...$defs, d0: { items: $defs["d0"] as JsonObject } } })).toEqual(
      [],
    );
  }
});

/** Each definition applies the one before it twice: two to the power of `levels` in all. */
const doubling = (levels: number): JsonObject => ({
  $ref: `#/$defs/d${levels}`,
  $defs: Object.fromEntries(
    Array.from({ length: levels + 1 }, (_, level) => {
      const below = { $ref: `#/$defs/d${level - 1}` };
      return [`d${level}`, level === 0 ? { type: "integer" } : { allOf: [below, below] }];
    }),
  ),
});

test("a schema that doubles its work is checked at once, and validates in bounded time", () => {
  const busyMs = cpuMs(() => {
    expect(problemsOf(doubling(10))).toEqual([]);
    expect(createValidator(doubling(10))(7)).toEqual([]);
    expect(problemsOf(doubling(60))).toEqual([]);
    expect(createValidator(doubling(60))(7)).toEqual([": takes too long to validate"]);
  });
  expect(busyMs).toBeLessThan(3_000);
});

test("a schema with fifteen hundred fields and alternatives is checked and used at once", () => {
  const fields = Array.from({ length: 1_500 }, (_, index) => [
    `p${index}`,
    { anyOf: [{ type: "string" }, {}] },
  ]);
  const schema = { properties: Object.fromEntries(fields) };
  const busyMs = cpuMs(() => {
    expect(problemsOf(schema)).toEqual([]);
    expect(createValidator(schema)({ p7: 1 })).toEqual([]);
  });
  expect(busyMs).toBeLessThan(2_000);
});
