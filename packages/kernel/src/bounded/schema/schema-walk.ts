/**
 * The structure of a JSON Schema 2020-12: the keywords with subschemas, and those that apply to the
 * same place of the value as their own schema.
 */
import { isPlainObject, type JsonObject, type JsonValue, readSegment } from "@turnseal/protocol";

export interface Subschema {
  readonly schema: JsonValue;
  /** JSON Pointer segments below the schema that holds it. */
  readonly segments: readonly string[];
  /** True when it is applied to the same place of the value. */
  readonly isInPlace: boolean;
}

// Keywords that hold subschemas, with whether these are applied in place.
const one: Readonly<Record<string, boolean>> = {
  not: true,
  if: true,
  // biome-ignore lint/suspicious/noThenProperty: `then` is a keyword of JSON Schema.
  then: true,
  else: true,
  additionalProperties: false,
  unevaluatedProperties: false,
  propertyNames: false,
  items: false,
  contains: false,
  unevaluatedItems: false,
  contentSchema: false,
};
const lists: Readonly<Record<string, boolean>> = {
  allOf: true,
  anyOf: true,
  oneOf: true,
  prefixItems: false,
};
const maps: Readonly<Record<string, boolean>> = {
  properties: false,
  patternProperties: false,
  dependentSchemas: true,
  $defs: false,
  definitions: false,
};

/** The subschemas that a schema holds directly. */
export function listSubschemas(schema: JsonObject): Subschema[] {
  return Object.entries(schema).flatMap(([keyword, value]): Subschema[] => {
    if (Object.hasOwn(one, keyword)) {
      return [{ schema: value, segments: [keyword], isInPlace: one[keyword] === true }];
    }
    const table = Object.hasOwn(lists, keyword) ? lists : maps;
    const isHolding = table === lists ? Array.isArray(value) : isPlainObject(value);
    if (!Object.hasOwn(table, keyword) || !isHolding) return [];
    return Object.entries(value as JsonObject).map(([name, item]) => ({
      schema: item,
      segments: [keyword, name],
      isInPlace: table[keyword] === true,
    }));
  });
}

/**
 * Finds what the local references of a schema point to, or undefined where there is nothing. Only a
 * place that holds a schema can be referred to: what stands elsewhere was never checked as one.
 */
export function createResolver(root: JsonValue): (reference: string) => JsonValue | undefined {
  let anchors: ReadonlyMap<string, JsonObject> | undefined;
  return (reference) => {
    if (reference === "#") return root;
    if (reference.startsWith("#/")) {
      return followPointer(root, reference.slice(2).split("/").map(decodeSegment));
    }
    anchors ??= new Map(listAnchors(root));
    return anchors.get(reference.slice(1));
  };
}

function followPointer(root: JsonValue, segments: readonly string[]): JsonValue | undefined {
  let schema: JsonValue | undefined = root;
  let at = 0;
  while (at < segments.length) {
    const keyword = segments[at] ?? "";
    const holdsMany = Object.hasOwn(lists, keyword) || Object.hasOwn(maps, keyword);
    if (!holdsMany && !Object.hasOwn(one, keyword)) return undefined;
    schema = readField(schema, keyword);
    if (holdsMany) schema = readField(schema, segments[at + 1]);
    at += holdsMany ? 2 : 1;
  }
  return schema;
}

function readField(value: JsonValue | undefined, name: string | undefined): JsonValue | undefined {
  const isHeld = typeof value === "object" && value !== null && name !== undefined;
  if (!isHeld || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, JsonValue>>)[name];
}

function decodeSegment(segment: string): string {
  try {
    return readSegment(decodeURIComponent(segment));
  } catch {
    // A malformed percent sign is a name that no schema has.
    return `${segment}\u0000`;
  }
}

/** Every `$anchor` with its schema. */
export function listAnchors(schema: JsonValue): (readonly [string, JsonObject])[] {
  if (!isPlainObject(schema)) return [];
  const { $anchor: name } = schema;
  const below = listSubschemas(schema as JsonObject).flatMap((subschema) =>
    listAnchors(subschema.schema),
  );
  return typeof name === "string" ? [[name, schema as JsonObject], ...below] : below;
}
