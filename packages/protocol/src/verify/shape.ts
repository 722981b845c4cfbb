/** Shapes of foreign values, put together from small ones. */
import { isPlainObject } from "../canonical-json.ts";

export type Shape = (value: unknown) => boolean;

export const isText: Shape = (value) => typeof value === "string";
export const isCount: Shape = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
/** A SHA-256 in lower-case hex, as the hash of an event is written. */
export const isHash: Shape = (value) => typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

/** An object with at least these fields. Unknown fields are left alone. */
export function hasFields(fields: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(fields);
  return (value) => {
    if (!isPlainObject(value)) return false;
    return entries.every(([name, shape]) =>
      shape(Object.hasOwn(value, name) ? value[name] : undefined),
    );
  };
}

/** An object with these fields and no others. */
export function hasOnly(fields: Readonly<Record<string, Shape>>): Shape {
  const hasAll = hasFields(fields);
  return (value) =>
    hasAll(value) && Object.keys(value as object).every((name) => Object.hasOwn(fields, name));
}

export function isListOf(shape: Shape): Shape {
  return (value) => Array.isArray(value) && value.every(shape);
}

export function isAbsentOr(shape: Shape): Shape {
  return (value) => value === undefined || shape(value);
}

export function isOneOf(values: readonly unknown[]): Shape {
  return (value) => values.includes(value);
}
