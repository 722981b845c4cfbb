/** Schemas that multiply work, go round in circles, or leave the document. */
const many = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));
const define = (count: number, make: (index: number) => unknown) =>
  Object.fromEntries(many(count, (index) => [`d${index}`, make(index)]));
const to = (name: string) => ({ $ref: `#/$defs/${name}` });

export const hostileSchemas: readonly (() => unknown)[] = [
  () => ({ $ref: "#" }),
  () => ({ allOf: [{ $ref: "#" }] }),
  () => ({ $ref: "#/$defs/d0", $defs: define(50, (index) => to(`d${(index + 1) % 50}`)) }),
  () => ({
    $ref: "#/$defs/d40",
    $defs: define(41, (index) =>
      index === 0 ? {} : { anyOf: [to(`d${index - 1}`), to(`d${index - 1}`)] },
    ),
  }),
  () => ({
    $ref: "#/$defs/d400",
    $defs: define(401, (index) =>
      index === 0 ? {} : { allOf: [to(`d${index - 1}`)], properties: { [`p${index}`]: {} } },
    ),
  }),
  () => ({ anyOf: many(4, () => ({ items: { $ref: "#" }, additionalProperties: { $ref: "#" } })) }),
  () => ({
    properties: Object.fromEntries(many(1_200, (index) => [`p${index}`, { type: "null" }])),
  }),
  () => ({ enum: many(3_000, (index) => ({ n: index })) }),
  () => ({ uniqueItems: true, items: { uniqueItems: true } }),
  () => ({
    allOf: many(400, () => ({ uniqueItems: true, contains: { const: 1 }, minContains: 0 })),
  }),
  () => ({ oneOf: many(300, (index) => ({ const: index })) }),
  () => ({ $ref: "https://example.com/schema" }),
  () => ({ $ref: "#/required", required: ["a"] }),
  () => ({ $ref: "#/hidden", hidden: { $ref: "https://example.com" } }),
  () => ({ $dynamicRef: "#a", $dynamicAnchor: "a" }),
  () => ({ items: { $id: "https://example.com/a" }, $ref: "a#/b" }),
  () => ({ $anchor: "a", items: { $anchor: "a" } }),
  () => ({ $schema: "http://json-schema.org/draft-07/schema#" }),
  () => ({ $schema: 5, $id: 5 }),
  () => ({ nullable: true, dependencies: { a: { $ref: "https://example.com" } } }),
  () => ({ enum: [], type: ["object", "null"] }),
  () => ({ minLength: 2 ** 53, maxLength: 0, multipleOf: 5e-324 }),
  () => ({ unevaluatedProperties: { $ref: "#" }, unevaluatedItems: { $ref: "#" } }),
  () => ({ type: "array", minItems: 1_000_000, items: { type: "array", minItems: 1_000_000 } }),
  () => JSON.parse('{"properties": {"__proto__": {"type": "string"}}, "required": ["__proto__"]}'),
  () => ({ not: { not: { not: { not: {} } } }, if: false, else: { if: true, not: {} } }),
  () => ({ patternProperties: Object.fromEntries(many(200, (index) => [`^p${index}`, {}])) }),
];
