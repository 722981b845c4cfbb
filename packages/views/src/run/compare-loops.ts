/** The changes between two documents of a loop, in the words of their author. */
import { canonicalize, isPlainObject, type JsonValue, type LoopDef } from "@turnseal/protocol";

/** A changed field, and its lines: removed and added ones. */
export interface LoopChange {
  /** A JSON Pointer into the document: `/prompt/template`. */
  readonly path: string;
  readonly lines: readonly ChangedLine[];
}

export interface ChangedLine {
  readonly mark: "-" | "+";
  readonly text: string;
}

/** The fields that differ, in the order of the earlier document. */
export function compareLoops(before: LoopDef, now: LoopDef): LoopChange[] {
  return compareFields(before as unknown as JsonValue, now as unknown as JsonValue, "");
}

/** The lines that differ, without the common beginning and end. */
export function compareTexts(before: string, now: string): ChangedLine[] {
  const [old, recent] = [before.split("\n"), now.split("\n")];
  const shorter = Math.min(old.length, recent.length);
  let first = 0;
  while (first < shorter && old[first] === recent[first]) first += 1;
  let last = 0;
  while (last < shorter - first && old.at(-1 - last) === recent.at(-1 - last)) last += 1;
  const cut = (lines: readonly string[]) => lines.slice(first, lines.length - last);
  return [
    ...cut(old).map((text): ChangedLine => ({ mark: "-", text })),
    ...cut(recent).map((text): ChangedLine => ({ mark: "+", text })),
  ];
}

function compareFields(
  before: JsonValue | undefined,
  now: JsonValue | undefined,
  path: string,
): LoopChange[] {
  if (isPlainObject(before) && isPlainObject(now)) {
    const names = new Set([...Object.keys(before), ...Object.keys(now)]);
    return [...names].flatMap((name) =>
      compareFields(readField(before, name), readField(now, name), `${path}/${name}`),
    );
  }
  const lines = compareTexts(toText(before), toText(now));
  return lines.length === 0 && before !== undefined && now !== undefined
    ? []
    : [{ path, lines: lines.filter(({ text }) => text !== ABSENT) }];
}

/** No line of a document: it has no control characters outside of strings. */
const ABSENT = "\u0000";

function toText(value: JsonValue | undefined): string {
  if (value === undefined) return ABSENT;
  return typeof value === "string" ? value : canonicalize(value);
}

function readField(object: object, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? (object as Record<string, JsonValue>)[name] : undefined;
}
