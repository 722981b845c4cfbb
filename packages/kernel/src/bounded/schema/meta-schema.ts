/**
 * The schema of schemas: JSON Schema 2020-12, flat.
 *
 * The standard splits it into vocabularies that are put together by dynamic references. Documents
 * may use neither, so that one schema that refers to itself says the same.
 */
import type { JsonObject } from "@turnseal/protocol";

const schema = { $ref: "#" };
const schemaList = { type: "array", minItems: 1, items: schema };
const schemaMap = { type: "object", additionalProperties: schema };
const text = { type: "string" };
const flag = { type: "boolean" };
const number = { type: "number" };
const count = { type: "integer", minimum: 0 };
const names = { type: "array", items: text, uniqueItems: true };
const simpleType = {
  enum: ["array", "boolean", "integer", "null", "number", "object", "string"],
};

export const metaSchema: JsonObject = {
  type: ["object", "boolean"],
  properties: {
    $id: { type: "string", pattern: "^[^#]*#?$" },
    $schema: text,
    $ref: text,
    $anchor: { type: "string", pattern: "^[A-Za-z_][-A-Za-z0-9._]*$" },
    $comment: text,
    $vocabulary: { type: "object", additionalProperties: flag },
    $defs: schemaMap,
    definitions: schemaMap,

    type: {
      anyOf: [simpleType, { type: "array", items: simpleType, minItems: 1, uniqueItems: true }],
    },
    enum: { type: "array" },

    multipleOf: { type: "number", exclusiveMinimum: 0 },
    maximum: number,
    exclusiveMaximum: number,
    minimum: number,
    exclusiveMinimum: number,

    maxLength: count,
    minLength: count,
    pattern: text,

    maxItems: count,
    minItems: count,
    uniqueItems: flag,
    maxContains: count,
    minContains: count,
    prefixItems: schemaList,
    items: schema,
    contains: schema,
    unevaluatedItems: schema,

    maxProperties: count,
    minProperties: count,
    required: names,
    dependentRequired: { type: "object", additionalProperties: names },
    properties: schemaMap,
    patternProperties: schemaMap,
    additionalProperties: schema,
    propertyNames: schema,
    dependentSchemas: schemaMap,
    unevaluatedProperties: schema,

    allOf: schemaList,
    anyOf: schemaList,
    oneOf: schemaList,
    not: schema,
    if: schema,
    // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
    then: schema,
    else: schema,

    title: text,
    description: text,
    deprecated: flag,
    readOnly: flag,
    writeOnly: flag,
    examples: { type: "array" },
    format: text,
    contentEncoding: text,
    contentMediaType: text,
    contentSchema: schema,
  },
};
