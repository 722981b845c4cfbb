/**
 * Copies a value at the trust boundary: a deep copy that is plain JSON and within its limits, or
 * the reason why not.
 *
 * Input and output of a call come from callers, tools and models. A copy means that neither side
 * can change what the other holds after it was checked; the same walk counts bytes, so nothing is
 * serialised only to be measured.
 */
import { isPlainObject, type JsonValue } from "./canonical-json.ts";

export type CopiedJson =
  | {
      readonly kind: "copied";
      readonly value: JsonValue;
      /** The length of the value as compact JSON in UTF-8. */
      readonly bytes: number;
      /** How many lists and objects stand inside each other at the deepest place. */
      readonly depth: number;
    }
  | { readonly kind: "refused"; readonly reason: string };

/**
 * How deep a value may nest: an input, an output, a payload, an answer. It lies far below
 * `JSON_DEPTH_MAX`, so that a value always fits into its event, row or request.
 */
export const VALUE_DEPTH_MAX = 64;
/** How large a value may be, as compact JSON in UTF-8; half of what a row of an inbox may be. */
export const VALUE_BYTES_MAX = 1024 * 1024;

/** Copies `value` if it is plain JSON of at most `bytesMax` bytes, and does not nest too deep. */
export function copyJson(
  value: unknown,
  bytesMax: number,
  depthMax: number = VALUE_DEPTH_MAX,
): CopiedJson {
  const walk: Walk = { bytes: 0, bytesMax, depth: 0, depthMax, path: [], refusal: undefined };
  const copy = copySafely(value, walk);
  if (walk.refusal !== undefined) return { kind: "refused", reason: walk.refusal };
  return { kind: "copied", value: copy, bytes: walk.bytes, depth: walk.depth };
}

interface Walk {
  bytes: number;
  depth: number;
  readonly bytesMax: number;
  readonly depthMax: number;
  /** Where the walk is: only a refusal writes it out. */
  readonly path: (string | number)[];
  refusal: string | undefined;
}

// A getter or a proxy of the other side may throw while it is read: that is a refusal, and its
// words are not ours to repeat.
function copySafely(value: unknown, walk: Walk): JsonValue {
  try {
    return copyValue(value, walk);
  } catch {
    walk.refusal ??= "cannot be read";
    return null;
  }
}

function copyValue(value: unknown, walk: Walk): JsonValue {
  const depth = walk.path.length;
  if (depth > walk.depth) walk.depth = depth;
  switch (typeof value) {
    case "boolean":
      return count(walk, value ? 4 : 5, value);
    case "number":
      if (!Number.isFinite(value)) return refuse(walk, "is not a finite number");
      // Negative zero has no form of its own in JSON.
      return count(walk, String(value).length, value === 0 ? 0 : value);
    case "string":
      if (!value.isWellFormed()) return refuse(walk, "holds a lone surrogate");
      return count(walk, utf8Length(value) + 2, value);
    case "object":
      if (value === null) return count(walk, 4, null);
      if (depth >= walk.depthMax) return refuse(walk, `nests deeper than ${walk.depthMax}`);
      walk.depth = Math.max(walk.depth, depth + 1);
      if (Array.isArray(value)) return copyArray(value, walk);
      if (!isPlainObject(value)) return refuse(walk, "is not a plain object");
      return copyObject(value, walk);
    default:
      return refuse(walk, `is of type ${typeof value}`);
  }
}

function copyArray(array: readonly unknown[], walk: Walk): JsonValue {
  // Brackets and commas. They count first, so that a huge list of holes ends here.
  count(walk, Math.max(array.length + 1, 2), null);
  const copy: JsonValue[] = [];
  for (let index = 0; index < array.length && walk.refusal === undefined; index++) {
    walk.path.push(index);
    copy.push(copyValue(array[index], walk));
    walk.path.pop();
  }
  return copy;
}

function copyObject(object: Record<string, unknown>, walk: Walk): JsonValue {
  const copy: Record<string, JsonValue> = {};
  let isFirst = true;
  count(walk, 2, null);
  for (const key of Object.keys(object)) {
    if (walk.refusal !== undefined) break;
    const value = object[key];
    // As in JSON.stringify: a field set to undefined is an absent field.
    if (value === undefined) continue;
    if (key === "__proto__") return refuse(walk, "has a field named __proto__");
    if (!key.isWellFormed()) return refuse(walk, "has a key with a lone surrogate");
    // Quotes and colon, and a comma before every field but the first.
    count(walk, utf8Length(key) + (isFirst ? 3 : 4), null);
    isFirst = false;
    walk.path.push(key);
    copy[key] = copyValue(value, walk);
    walk.path.pop();
  }
  return copy;
}

function count(walk: Walk, bytes: number, value: JsonValue): JsonValue {
  walk.bytes += bytes;
  if (walk.bytes > walk.bytesMax) walk.refusal ??= `is larger than ${walk.bytesMax} bytes`;
  return value;
}

function refuse(walk: Walk, reason: string): null {
  const path = walk.path.map((key) => `/${key}`).join("");
  walk.refusal ??= path === "" ? reason : `${path} ${reason}`;
  return null;
}

// One byte for each, and no escapes: most texts, which a resume would else count one by one.
const onlyPlainAscii = /^[ !#-[\]-~]*$/;

// The bytes between the quotes, with the escapes that JSON needs.
function utf8Length(text: string): number {
  let length = text.length;
  if (onlyPlainAscii.test(text)) return length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit > 0x7f) length += unit > 0x7ff && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1;
    else if (unit === 0x22 || unit === 0x5c) length += 1;
    else if (unit < 0x20) length += hasShortEscape(unit) ? 1 : 5;
  }
  return length;
}

// Backspace, tab, line feed, form feed and carriage return; every other control character is
// written as six characters.
function hasShortEscape(unit: number): boolean {
  return unit >= 0x08 && unit <= 0x0d && unit !== 0x0b;
}
