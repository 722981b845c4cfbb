/**
 * Canonical JSON after RFC 8785, stricter than the RFC in what it takes.
 *
 * 1. Equal values give equal bytes: keys sorted by UTF-16 code units, numbers and strings as
 *    ECMAScript writes them.
 * 2. A value that is not plain JSON is refused, never dropped or converted: digests and signatures
 *    rest on these bytes.
 * 3. Cycles end as a refusal, by the depth limit.
 */
import { LoopError } from "./error.ts";

/** A JSON value. */
export type JsonValue = null | boolean | number | string | JsonArray | JsonObject;
export type JsonArray = readonly JsonValue[];
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** How deep a value may nest. */
export const JSON_DEPTH_MAX = 128;

export type CanonicalJsonErrorCode = "JSON_NOT_PLAIN" | "JSON_TOO_DEEP";

export class CanonicalJsonError extends LoopError<CanonicalJsonErrorCode> {
  constructor(code: CanonicalJsonErrorCode, message: string) {
    super({ code, retry: "never", message });
  }
}

/** Renders `value` as canonical JSON, or throws a `CanonicalJsonError`. */
export function canonicalize(value: unknown): string {
  return write(value, "", 0);
}

function write(value: unknown, path: string, depth: number): string {
  switch (typeof value) {
    case "boolean":
      return value ? "true" : "false";
    case "number":
      if (!Number.isFinite(value)) throw notPlain(path, "a number that is not finite");
      return JSON.stringify(value);
    case "string":
      if (!value.isWellFormed()) throw notPlain(path, "a string with a lone surrogate");
      return JSON.stringify(value);
    case "object":
      if (value === null) return "null";
      if (depth >= JSON_DEPTH_MAX) {
        throw new CanonicalJsonError("JSON_TOO_DEEP", `nests deeper than ${JSON_DEPTH_MAX}`);
      }
      return Array.isArray(value)
        ? writeArray(value, path, depth)
        : writeObject(value, path, depth);
    default:
      throw notPlain(path, `a value of type ${typeof value}`);
  }
}

function writeArray(array: readonly unknown[], path: string, depth: number): string {
  // A hole makes the keys fewer than the items, a named field makes them more.
  if (Object.keys(array).length !== array.length) throw notPlain(path, "a list that is not plain");
  let text = "[";
  for (let index = 0; index < array.length; index++) {
    if (index > 0) text += ",";
    text += write(array[index], `${path}/${index}`, depth + 1);
  }
  return `${text}]`;
}

function writeObject(object: object, path: string, depth: number): string {
  if (!isPlainObject(object)) throw notPlain(path, "an object that is not plain");
  let text = "{";
  for (const key of Object.keys(object).sort()) {
    if (!key.isWellFormed()) throw notPlain(path, "a key with a lone surrogate");
    if (text.length > 1) text += ",";
    text += `${JSON.stringify(key)}:${write(object[key], `${path}/${key}`, depth + 1)}`;
  }
  return `${text}}`;
}

/** True for an object literal or one without a prototype, with string keys only. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== "object" || value === null) return false;
  const prototype: object | null = Object.getPrototypeOf(value);
  // A literal of another realm (a worker, a vm context) has that realm's Object.prototype, whose
  // prototype is null.
  if (prototype !== null && prototype !== Object.prototype) {
    if (Object.getPrototypeOf(prototype) !== null || !Object.hasOwn(prototype, "isPrototypeOf"))
      return false;
  }
  return Object.getOwnPropertySymbols(value).length === 0;
}

function notPlain(path: string, what: string): CanonicalJsonError {
  return new CanonicalJsonError("JSON_NOT_PLAIN", `${path === "" ? "the value" : path} is ${what}`);
}
