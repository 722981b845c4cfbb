/**
 * Renders a preview of a large output, and ranges of it for the model. Positions are bytes of the
 * output's text in UTF-8; a cut never splits a character.
 */
import { canonicalize, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { OUTPUT_PREVIEW_BYTES_MAX, OUTPUT_RANGE_BYTES_MAX } from "../limits.ts";
import { findCharacter, isInside } from "./find-character.ts";

/** The text of an output: a text as it is, anything else as canonical JSON. */
function readBytes(output: JsonValue): Uint8Array {
  return new TextEncoder().encode(typeof output === "string" ? output : canonicalize(output));
}

/** The beginning of an output that is too large to be shown; undefined for a smaller one. */
export function previewOutput(
  output: JsonValue,
  most = OUTPUT_PREVIEW_BYTES_MAX,
): JsonObject | undefined {
  // No character takes more than three bytes for a unit: most texts are measured by their length.
  if (typeof output === "string" && output.length * 3 <= most) return undefined;
  const bytes = readBytes(output);
  if (bytes.length <= most) return undefined;
  const preview = cut(bytes, 0, most);
  return { preview: preview.text, bytes: bytes.length, truncated: true };
}

/** The beginning of content that is kept, of at most so many bytes, and its size. */
export function describeContent(content: JsonValue, most: number): JsonObject {
  const bytes = readBytes(content);
  const { text } = cut(bytes, 0, most);
  return { preview: text, bytes: bytes.length, truncated: bytes.length > most };
}

export interface OutputRange {
  readonly from: number;
  readonly bytes: number;
}

/** A part of an output, and where it goes on: `next` is absent at the end. */
export function readRange(output: JsonValue, { from, bytes: length }: OutputRange): JsonObject {
  const bytes = readBytes(output);
  const end = Math.min(bytes.length, from + Math.min(length, OUTPUT_RANGE_BYTES_MAX));
  const part = cut(bytes, Math.min(from, bytes.length), end);
  return {
    text: part.text,
    from: part.from,
    bytes: bytes.length,
    ...(part.to < bytes.length ? { next: part.to } : {}),
  };
}

/** The beginning of a text, of at most so many bytes. */
export function cutBytes(text: string, most: number): string {
  return cut(readBytes(text), 0, most).text;
}

interface Part {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

function cut(bytes: Uint8Array, wantedFrom: number, wantedTo: number): Part {
  const from = findCharacter(bytes, wantedFrom);
  const before = findCharacter(bytes, wantedTo);
  // A range that is smaller than the character it begins with is that character.
  const to = before > from || from >= bytes.length ? before : findEnd(bytes, from + 1);
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  return { text: decoder.decode(bytes.subarray(from, to)), from, to };
}

function findEnd(bytes: Uint8Array, place: number): number {
  let end = place;
  while (isInside(bytes, end)) end += 1;
  return end;
}
