/** The types that fields of a loop document can have (spec/loop.md §1, §2). */
import { isPlainObject } from "../canonical-json.ts";

export type FieldType =
  | "text"
  | "name"
  | "string"
  | "schema"
  | "object"
  | "strings"
  | "texts"
  | "objects"
  | "count"
  | "whole"
  | "boolean"
  | "thread"
  | "number"
  | "mapping"
  | "value";

/** What the value should have been, or undefined when it is that. */
export function describeMismatch(value: unknown, type: FieldType): string | undefined {
  switch (type) {
    case "text":
    case "name":
      // Names are kept by stores that have no NUL in texts.
      return isWithoutNul(value) ? undefined : "a string without NUL";
    case "string":
      return typeof value === "string" ? undefined : "a string";
    case "schema":
      return isPlainObject(value) || typeof value === "boolean" ? undefined : "a JSON Schema";
    case "object":
      return isPlainObject(value) ? undefined : "an object";
    case "strings":
      return isArrayOf(value, (item) => typeof item === "string") ? undefined : "a list of strings";
    case "texts":
      return isArrayOf(value, (item) => typeof item === "string" && item !== "")
        ? undefined
        : "a list of strings that are not empty";
    case "objects":
      return isArrayOf(value, isPlainObject) ? undefined : "a list of objects";
    case "count":
      return Number.isSafeInteger(value) && Number(value) > 0
        ? undefined
        : "a positive whole number";
    case "whole":
      return Number.isSafeInteger(value) && Number(value) >= 0
        ? undefined
        : "a whole number of at least zero";
    case "boolean":
      return typeof value === "boolean" ? undefined : "true or false";
    case "thread":
      return typeof value === "boolean" || isThreadName(value)
        ? undefined
        : `true, false or a name of at most ${THREAD_NAME_LENGTH_MAX} letters, digits, - and _`;
    case "number":
      return Number.isFinite(value) ? undefined : "a number";
    case "mapping":
      return isMapping(value) ? undefined : "an object of paths, `literal:` texts or { const }";
    case "value":
      return undefined;
  }
}

/** UTF-16 units of the name of a thread. */
export const THREAD_NAME_LENGTH_MAX = 64;

const threadName = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** A place in a definition begins with a slash, so that no name is one. */
function isThreadName(value: unknown): boolean {
  return (
    typeof value === "string" && value.length <= THREAD_NAME_LENGTH_MAX && threadName.test(value)
  );
}

function isWithoutNul(value: unknown): boolean {
  return typeof value === "string" && !value.includes("\0");
}

function isMapping(value: unknown): boolean {
  return (
    isPlainObject(value) &&
    Object.values(value).every(
      (source) =>
        typeof source === "string" ||
        (isPlainObject(source) && Object.keys(source).join() === "const"),
    )
  );
}

function isArrayOf(value: unknown, test: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(test);
}

/** The names that a field gives: those of mapped fields, variables or a binding. */
export function listNames(value: unknown, type: FieldType): readonly string[] {
  if (type === "mapping") return Object.keys(value as object);
  if (type === "strings") return value as string[];
  return type === "name" ? [value as string] : [];
}
