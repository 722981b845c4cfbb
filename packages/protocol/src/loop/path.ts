/**
 * Mapping paths: the singular queries of RFC 9535, and no more (spec/mapping.md).
 *
 * 1. Names, quoted names and indexes. Wildcards, slices, filters, descendants and functions do not
 *    parse.
 * 2. Only own fields are read. A path through null, a missing field or a value of the wrong kind is
 *    an error; a missing last field is an absent value.
 */
import type { JsonValue } from "../canonical-json.ts";
import { isReservedName } from "./reserved-names.ts";

export type PathSegment = string | number;

export type ParsedPath =
  | { readonly kind: "path"; readonly segments: readonly PathSegment[] }
  | { readonly kind: "refused"; readonly reason: string };

/** A longer path is refused before it is read. */
export const PATH_LENGTH_MAX = 1_000;

const shorthand = /\.([A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)/y;
const index = /\[[ \t\r\n]*(0|-?[1-9][0-9]{0,15})[ \t\r\n]*\]/y;
const quoted =
  /\[[ \t\r\n]*(?:"((?:[^"\\\u0000-\u001f]|\\.)*)"|'((?:[^'\\\u0000-\u001f]|\\.)*)')[ \t\r\n]*\]/y;

/** Reads a path such as `$.input.items[0]['a b']`. */
export function parsePath(text: string): ParsedPath {
  if (text.length > PATH_LENGTH_MAX) return refuse(`is longer than ${PATH_LENGTH_MAX}`);
  if (!text.startsWith("$")) return refuse("does not start with `$`");
  if (!text.isWellFormed()) return refuse("holds a lone surrogate");
  const segments: PathSegment[] = [];
  let offset = 1;
  while (offset < text.length) {
    const match = matchSegment(text, offset);
    if (match === undefined)
      return refuse(`cannot be read from \`${text.slice(offset, offset + 20)}\``);
    if (typeof match.segment === "string" && isReservedName(match.segment)) {
      return refuse(`uses the reserved name \`${match.segment}\``);
    }
    segments.push(match.segment);
    offset = match.end;
  }
  return { kind: "path", segments };
}

function matchSegment(
  text: string,
  offset: number,
): { readonly segment: PathSegment; readonly end: number } | undefined {
  // Whitespace may stand between segments, as in the RFC.
  const blank = /[ \t\r\n]*/y;
  blank.lastIndex = offset;
  blank.test(text);
  for (const pattern of [shorthand, index, quoted]) {
    pattern.lastIndex = blank.lastIndex;
    const match = pattern.exec(text);
    if (match === null) continue;
    const segment = readSegment(pattern, match);
    return segment === undefined ? undefined : { segment, end: pattern.lastIndex };
  }
  return undefined;
}

function readSegment(pattern: RegExp, match: RegExpExecArray): PathSegment | undefined {
  if (pattern === index) {
    const position = Number(match[1]);
    return Number.isSafeInteger(position) ? position : undefined;
  }
  if (pattern === shorthand) return match[1];
  return match[1] === undefined ? unquote(match[2] ?? "", "'") : unquote(match[1], '"');
}

/** Undoes the escapes of a quoted name; undefined for an escape that the RFC lacks. */
function unquote(name: string, quote: string): string | undefined {
  let text = "";
  for (let at = 0; at < name.length; at++) {
    const character = name.charAt(at);
    if (character !== "\\") {
      text += character;
      continue;
    }
    at++;
    const mark = name.charAt(at);
    const simple = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", "/": "/", "\\": "\\" }[mark];
    if (simple !== undefined) text += simple;
    else if (mark === quote) text += quote;
    else if (mark === "u" && /^[0-9A-Fa-f]{4}$/.test(name.slice(at + 1, at + 5))) {
      text += String.fromCharCode(Number.parseInt(name.slice(at + 1, at + 5), 16));
      at += 4;
    } else return undefined;
  }
  return text.isWellFormed() ? text : undefined;
}

/** Writes segments so that `parsePath` reads them back. */
export function formatPath(segments: readonly PathSegment[]): string {
  return `$${segments.map(formatSegment).join("")}`;
}

function formatSegment(segment: PathSegment): string {
  if (typeof segment === "number") return `[${segment}]`;
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(segment) ? `.${segment}` : `[${JSON.stringify(segment)}]`;
}

export type PathValue =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "absent" }
  | { readonly kind: "broken"; readonly reason: string };

/** Follows a path from `root`. */
export function readPath(root: JsonValue, segments: readonly PathSegment[]): PathValue {
  let value: JsonValue = root;
  for (const [position, segment] of segments.entries()) {
    const next = readStep(value, segment);
    if (next.kind === "broken") return next;
    if (next.kind === "absent") {
      const isLast = position === segments.length - 1;
      if (isLast) return next;
      return {
        kind: "broken",
        reason: `nothing at ${formatPath(segments.slice(0, position + 1))}`,
      };
    }
    value = next.value;
  }
  return { kind: "value", value };
}

function readStep(value: JsonValue, segment: PathSegment): PathValue {
  if (typeof segment === "number") {
    if (!Array.isArray(value))
      return { kind: "broken", reason: `[${segment}] on what is not a list` };
    const item = (value as readonly JsonValue[]).at(segment);
    if (item === undefined) return { kind: "broken", reason: `[${segment}] is outside the list` };
    return { kind: "value", value: item };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { kind: "broken", reason: `\`${segment}\` on what is not an object` };
  }
  if (!Object.hasOwn(value, segment)) return { kind: "absent" };
  const field = (value as Readonly<Record<string, JsonValue>>)[segment];
  return field === undefined ? { kind: "absent" } : { kind: "value", value: field };
}

function refuse(reason: string): ParsedPath {
  return { kind: "refused", reason };
}
