/**
 * Replaces texts of a harness by stand-ins: those that a pointer leads to, and the same texts
 * elsewhere in content.
 */
import { isPlainObject, type JsonValue, readSegment } from "@turnseal/protocol";
import type { Harness } from "./harness.ts";

/** Fields with content of people, models and tools; all others are our own words. */
const contentFields: ReadonlySet<string> = new Set([
  ...["input", "text", "json", "content", "asked", "result", "given", "failure"],
  ...["payload", "answer", "arguments", "request", "output"],
]);

export type Redaction =
  | { readonly kind: "redacted"; readonly harness: Harness }
  | { readonly kind: "unusable"; readonly message: string };

/** Redacts what the pointers lead to. */
export function redactFixture(harness: Harness, pointers: readonly string[]): Redaction {
  const texts = new Map<string, string>();
  for (const pointer of pointers) {
    const found = listTexts(follow(harness as unknown as JsonValue, pointer));
    if (found.length === 0)
      return { kind: "unusable", message: `there is no text at ${pointer} to redact` };
    for (const text of found) if (!texts.has(text)) texts.set(text, `redacted-${texts.size + 1}`);
  }
  // The longest first: one may be a part of another.
  const replacements = [...texts]
    .sort(([a], [b]) => b.length - a.length)
    .flatMap(([text, name]): [string, string][] => {
      const escaped = JSON.stringify(text).slice(1, -1);
      return escaped === text
        ? [[text, name]]
        : [
            [text, name],
            [escaped, name],
          ];
    });
  const redacted = redact(harness as unknown as JsonValue, replacements, false);
  return { kind: "redacted", harness: redacted as unknown as Harness };
}

function follow(value: JsonValue | undefined, pointer: string): JsonValue | undefined {
  const [, ...segments] = pointer.split("/");
  let found = value;
  for (const segment of segments) {
    const name = readSegment(segment);
    const inside: unknown = found;
    const isThere = (Array.isArray(inside) || isPlainObject(inside)) && Object.hasOwn(inside, name);
    if (!isThere) return undefined;
    found = (inside as Readonly<Record<string, JsonValue>>)[name];
  }
  return found;
}

function listTexts(value: JsonValue | undefined): string[] {
  if (typeof value === "string") return value === "" ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((item) => listTexts(item as JsonValue));
  return isPlainObject(value)
    ? Object.values(value).flatMap((field) => listTexts(field as JsonValue))
    : [];
}

function redact(
  value: JsonValue,
  replacements: readonly (readonly [string, string])[],
  isContent: boolean,
): JsonValue {
  if (typeof value === "string") {
    if (!isContent) return value;
    return replacements.reduce((text, [from, to]) => text.replaceAll(from, to), value);
  }
  if (Array.isArray(value))
    return value.map((item) => redact(item as JsonValue, replacements, isContent));
  if (!isPlainObject(value)) return value;
  const entries = Object.entries(value).map(([name, field]): [string, JsonValue] => [
    name,
    redact(field as JsonValue, replacements, isContent || contentFields.has(name)),
  ]);
  return Object.fromEntries(entries);
}
