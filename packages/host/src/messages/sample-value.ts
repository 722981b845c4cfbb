/** An example of what a schema takes, for people. It need not fit: check it before it is shown. */
import { isPlainObject, type JsonObject, type JsonValue } from "@turnseal/protocol";

/** How deep an example nests, and how much a text or a list in it is. */
const DEPTH_MAX = 6;
const LENGTH_MAX = 100;
const ITEMS_MAX = 8;
/** Values in one example: lists of lists and long lists of names multiply. */
const VALUES_MAX = 200;

/** A value of the form that the schema describes. */
export function sampleValue(schema: JsonValue | undefined): JsonValue {
  let left = VALUES_MAX;
  const sample: Sample = (part, depth) => {
    left -= 1;
    return left < 0 ? SAMPLE_TEXT : sampleOne(part, depth, { sample, left: () => left });
  };
  return sample(schema, 0);
}

type Sample = (schema: JsonValue | undefined, depth: number) => JsonValue;

interface Room {
  readonly sample: Sample;
  /** How many values the example may still have. */
  readonly left: () => number;
}

function sampleOne(schema: JsonValue | undefined, depth: number, room: Room): JsonValue {
  if (!isPlainObject(schema) || depth > DEPTH_MAX) return SAMPLE_TEXT;
  const { examples, enum: choices, anyOf, oneOf } = schema;
  for (const given of [schema["const"], schema["default"], first(examples), first(choices)])
    if (given !== undefined) return given;
  const way = first(anyOf) ?? first(oneOf);
  if (way !== undefined) return room.sample(way, depth + 1);
  switch (typeOf(schema)) {
    case "object":
      return sampleObject(schema, depth, room);
    case "array":
      return sampleList(schema, depth, room);
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

function sampleObject(
  { properties, required }: JsonObject,
  depth: number,
  { sample, left }: Room,
): JsonObject {
  const known = isPlainObject(properties) ? properties : {};
  const names = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const shown: [string, JsonValue][] = [];
  for (const name of names) {
    if (left() <= 0) break;
    shown.push([name, sample(Object.hasOwn(known, name) ? known[name] : undefined, depth + 1)]);
  }
  return Object.fromEntries(shown);
}

function sampleList({ items, minItems }: JsonObject, depth: number, room: Room): JsonValue[] {
  const length = Math.min(countOf(minItems), ITEMS_MAX);
  const shown: JsonValue[] = [];
  while (shown.length < length && room.left() > 0) shown.push(room.sample(items, depth + 1));
  return shown;
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
