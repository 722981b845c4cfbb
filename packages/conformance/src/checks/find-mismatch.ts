import { isDeepStrictEqual } from "node:util";
import { isPlainObject } from "@turnseal/protocol";

/** The longest part of a value that a message shows. */
const SHOWN_LENGTH = 200;

/** Says how two JSON values differ, or undefined when they are equal. */
export function findDifference(
  expected: unknown,
  actual: unknown,
  where: string,
): string | undefined {
  if (isDeepStrictEqual(expected, actual)) return undefined;
  return `${where}: expected ${showValue(expected)}, got ${showValue(actual)}`;
}

/**
 * As `findDifference`, but an object may have more fields than are expected of it, at any depth.
 */
export function findMismatch(
  expected: unknown,
  actual: unknown,
  where: string,
): string | undefined {
  if (!isPlainObject(expected) || !isPlainObject(actual)) {
    return findDifference(expected, actual, where);
  }
  for (const [name, value] of Object.entries(expected)) {
    const field = Object.hasOwn(actual, name) ? actual[name] : undefined;
    const mismatch = findMismatch(value, field, `${where}.${name}`);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

/**
 * As `findMismatch`, through lists too, which must have the length that is expected. An object that
 * is expected to be empty must be.
 */
export function findPartMismatch(
  expected: unknown,
  actual: unknown,
  where: string,
): string | undefined {
  const lacking = findLacking(expected, actual);
  if (lacking !== undefined)
    return lacking.length === 0 ? undefined : `${where}: ${showValue(lacking)} is not in it`;
  const isWhole = Array.isArray(expected)
    ? !Array.isArray(actual) || actual.length !== expected.length
    : !isPlainObject(expected) || !isPlainObject(actual) || Object.keys(expected).length === 0;
  if (isWhole) return findDifference(expected, actual, where);
  for (const [name, value] of Object.entries(expected as object)) {
    const field = Object.hasOwn(actual as object, name)
      ? Reflect.get(actual as object, name)
      : undefined;
    const mismatch = findPartMismatch(value, field, `${where}.${name}`);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

/** Lists the parts that a text should contain and does not. */
function findLacking(expected: unknown, actual: unknown): unknown[] | undefined {
  if (!isPlainObject(expected)) return undefined;
  const { $contains: parts } = expected;
  if (!Array.isArray(parts)) return undefined;
  return parts.filter((part) => typeof actual !== "string" || !actual.includes(String(part)));
}

/** A value as a message shows it: JSON, cut where it is long. */
export function showValue(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}...` : text;
}
