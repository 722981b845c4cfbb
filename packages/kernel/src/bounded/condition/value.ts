import type { ConditionFailure, JsonValue } from "@turnseal/protocol";

/** The result of a part of a condition: a value, or the reason for its absence. */
export type Value = JsonValue | Failure;

/** Errors of conditions are values: some operators outweigh them, and no other code throws them. */
export class Failure {
  readonly code: ConditionFailure;
  constructor(code: ConditionFailure) {
    this.code = code;
  }
}

export const FIELD_MISSING = new Failure("field-missing");
export const INDEX_OUTSIDE = new Failure("index-outside");
export const TYPE_MISMATCH = new Failure("type-mismatch");
export const NUMBER_OVERFLOW = new Failure("number-overflow");
export const STEPS_EXHAUSTED = new Failure("steps-exhausted");

/** An object of JSON. Facts are plain data: what is neither a list nor simple is an object. */
export function isObject(value: Value): value is { readonly [key: string]: JsonValue } {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Failure)
  );
}

/** A field of an object. Inherited fields are never read, and undefined counts as absent. */
export function readField(value: Value, name: string): Value {
  if (value instanceof Failure) return value;
  if (!isObject(value)) return TYPE_MISMATCH;
  const field = Object.hasOwn(value, name) ? value[name] : undefined;
  return field === undefined ? FIELD_MISSING : field;
}

/** A field of an object by a text, or an item of a list by a whole number. */
export function readIndex(value: Value, index: Value): Value {
  if (value instanceof Failure) return value;
  if (index instanceof Failure) return index;
  if (typeof index === "string") return readField(value, index);
  if (!Array.isArray(value) || !Number.isInteger(index)) return TYPE_MISMATCH;
  return value[Number(index)] ?? (Number(index) in value ? null : INDEX_OUTSIDE);
}
