/**
 * Removes secrets from a tool's output, before it is stored or shown to people and models.
 *
 * 1. It takes out pieces, not only the whole: a secret that is spread over two answers is in
 *    neither.
 * 2. It takes out too much rather than too little: what happens to look like a piece goes, too.
 * 3. It does not stop a tool that wants to leak its secrets, for example by spelling them
 *    backwards. It stops tools that repeat them.
 */
import { type CopiedJson, copyJson, isPlainObject, type JsonValue } from "@turnseal/protocol";
import { cutOut, markSecrets } from "./mark-secrets.ts";
import { cutPieces, type Pieces } from "./redact-pieces.ts";
import { openTextStream, type TextStream } from "./redact-stream.ts";

export interface Redactor {
  text(text: string): string;
  /** A value with every text in it redacted: keys, and numbers that spell a secret, too. */
  value<Value extends JsonValue>(value: Value): Value;
  /** True for bytes that have a whole secret in them. */
  isIn(bytes: Uint8Array): boolean;
  /** For a text that comes in pieces. */
  stream(): TextStream;
}

const nothingToHide: Redactor = {
  text: (text) => text,
  value: (value) => value,
  isIn: () => false,
  stream: () => openTextStream(undefined),
};

export function createRedactor(secrets: readonly string[]): Redactor {
  if (secrets.length === 0) return nothingToHide;
  const encoded = secrets.map((secret) => new TextEncoder().encode(secret));
  const pieces = cutPieces(encoded);
  const text = (given: string): string => redactText(given, pieces);
  return {
    text,
    value: (value) => redactValue(value, text) as typeof value,
    isIn: (bytes) => encoded.some((secret) => hasBytes(bytes, secret)),
    stream: () => openTextStream(pieces),
  };
}

function hasBytes(bytes: Uint8Array, wanted: Uint8Array): boolean {
  const [first = 0] = wanted;
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1))
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return true;
  return false;
}

/**
 * Takes a value of a tool's across the trust boundary, without the secrets in it, within its limit
 * before and after.
 */
export function copyRedacted(value: unknown, bytesMax: number, redactor: Redactor): CopiedJson {
  const copied = copyJson(value, bytesMax);
  // The reason of a refusal may name a key of the value.
  if (copied.kind === "refused") return { kind: "refused", reason: redactor.text(copied.reason) };
  const told = redactor.value(copied.value);
  return told === copied.value ? copied : copyJson(told, bytesMax);
}

function redactText(text: string, pieces: Pieces): string {
  const bytes = new TextEncoder().encode(text);
  const marked = markSecrets(bytes, pieces);
  return marked === undefined ? text : cutOut(bytes, marked);
}

function redactValue(value: JsonValue, redact: (text: string) => string): JsonValue {
  if (typeof value === "string") return redact(value);
  if (typeof value === "number") {
    const text = String(value);
    const redacted = redact(text);
    return redacted === text ? value : redacted;
  }
  if (Array.isArray(value)) return value.map((item) => redactValue(item, redact));
  if (!isPlainObject(value)) return value;
  const fields = new Map<string, JsonValue>();
  for (const [key, field] of Object.entries(value))
    fields.set(freeName(redact(key), fields), redactValue(field as JsonValue, redact));
  return Object.fromEntries(fields);
}

/** Two keys that are the same once they are redacted stay two. */
function freeName(key: string, taken: ReadonlyMap<string, unknown>): string {
  let name = key;
  for (let count = taken.size + 1; taken.has(name); count++) name = `${key} ${count}`;
  return name;
}
