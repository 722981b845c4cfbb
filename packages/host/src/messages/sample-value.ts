/** An example of what a schema takes, for people. It need not fit: check it before it is shown. */
import { isPlainObject, type JsonObject, type JsonValue } from "@turnseal/protocol";

/** How deep an example nests, and how much a text or a list in it is. */
const DEPTH_MAX = 6;
const LENGTH_MAX = 100;
const ITEMS_MAX = 8;

/** A value of the form that the schema describes. */
export function sampleValue(schema: JsonValue | undefined, depth = 0): JsonValue {
  if (!isPlainObject(schema) || depth > DEPTH_MAX) return SAMPLE_TEXT;
  const { examples, enum: choices, anyOf, oneOf } = schema;
  for (const given of [schema["const"], schema["default"], first(examples), first(choices)])
    if (given !== undefined) return given;
  const way = first(anyOf) ?? first(oneOf);
  if (way !== undefined) return sampleValue(way, depth + 1);
  switch (typeOf(schema)) {
    case "object":
      return sampleObject(schema, depth);
    case "array":
      return sampleList(schema, depth);
    case "integer":
    case "number":
      return sampleNumber(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return sampleText(schema);
  }
}

const SAMPLE_TEXT = "...";

function first(list: JsonValue | undefined): JsonValue | undefined {
  return Array.isArray(list) ? list[0] : undefined;
}

function typeOf({ type, properties }: JsonObject): JsonValue | undefined {
  const named = Array.isArray(type) ? type.find((each) => each !== "null") : type;
  return named ?? (properties === undefined ? undefined : "object");
}

function sampleObject({ properties, required }: JsonObject, depth: number): JsonObject {
  const known = isPlainObject(properties) ? properties : {};
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  return Object.fromEntries(
    names.map((name) => [
      name,
      sampleValue(Object.hasOwn(known, name) ? known[name] : undefined, depth + 1),
    ]),
  );
}

function sampleList({ items, minItems }: JsonObject, depth: number): JsonValue[] {
  const length = Math.min(countOf(minItems), ITEMS_MAX);
  return Array.from({ length }, () => sampleValue(items, depth + 1));
}

function sampleNumber({ minimum, exclusiveMinimum, maximum }: JsonObject): number {
  if (typeof minimum === "number") return Math.ceil(minimum);
  if (typeof exclusiveMinimum === "number") return Math.floor(exclusiveMinimum) + 1;
  return typeof maximum === "number" ? Math.floor(Math.min(1, maximum)) : 1;
}

function sampleText({ minLength, maxLength }: JsonObject): string {
  const long = SAMPLE_TEXT.padEnd(Math.min(countOf(minLength), LENGTH_MAX), ".");
  return typeof maxLength === "number" ? long.slice(0, maxLength) : long;
}

function countOf(value: JsonValue | undefined): number {
  return typeof value === "number" ? value : 0;
}
