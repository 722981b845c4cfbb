/** Equality of JSON values, where the order of fields does not matter. */
import { digestOf, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { spend } from "../meter.ts";
import type { Evaluation } from "./evaluation.ts";

/** True for equal values. It takes no longer than the smaller of them is large. */
export function isSameValue(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object") return false;
  if (one === null || other === null || Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  const left = one as JsonObject;
  const right = other as JsonObject;
  return names.every(
    (name) => Object.hasOwn(right, name) && isSameValue(left[name] ?? null, right[name] ?? null),
  );
}

export function countNodes(value: JsonValue): number {
  if (typeof value !== "object" || value === null) return 1;
  return Object.values(value).reduce<number>((sum, part) => sum + countNodes(part), 1);
}

/**
 * A longer name is shortened to a digest, so that naming a nested value stays linear in its size.
 */
const NAME_LENGTH_MAX = 100;

// A value that is being validated does not change, so that its name can be kept.
const knownNames = new WeakMap<object, string>();

/** A text that equal values share and different ones do not. */
export function nameValue(value: JsonValue, evaluation: Evaluation): string {
  if (typeof value !== "object" || value === null) {
    const text = JSON.stringify(value);
    spend(evaluation, text.length);
    return text;
  }
  const known = knownNames.get(value);
  if (known !== undefined) return known;
  const text = Array.isArray(value)
    ? `[${value.map((item: JsonValue) => nameValue(item, evaluation)).join()}]`
    : `{${nameFields(value as JsonObject, evaluation).join()}}`;
  const name = text.length > NAME_LENGTH_MAX ? digestOf(text) : text;
  knownNames.set(value, name);
  return name;
}

function nameFields(value: JsonObject, evaluation: Evaluation): string[] {
  return Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${nameValue(value[key] ?? null, evaluation)}`);
}
