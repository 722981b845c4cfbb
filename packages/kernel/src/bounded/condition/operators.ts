/** The operators of conditions on values that are there; failures are the caller's to pass on. */
import type { JsonValue } from "@turnseal/protocol";
import { isSpent, type Meter, spend } from "../meter.ts";
import { spendOnText } from "./spend-on-text.ts";
import {
  FIELD_MISSING,
  isObject,
  NUMBER_OVERFLOW,
  readField,
  STEPS_EXHAUSTED,
  TYPE_MISMATCH,
  type Value,
} from "./value.ts";

export type Operator = (left: JsonValue, right: JsonValue, meter: Meter) => Value;

export const OPERATORS: Readonly<Record<string, Operator>> = {
  "==": (left, right, meter) => settle(isEqual(left, right, meter), meter),
  "!=": (left, right, meter) => settle(!isEqual(left, right, meter), meter),
  "<": order((sign) => sign < 0),
  "<=": order((sign) => sign <= 0),
  ">": order((sign) => sign > 0),
  ">=": order((sign) => sign >= 0),
  in: isIn,
  "+": add,
  "-": onNumbers((left, right) => left - right),
  "*": onNumbers((left, right) => left * right),
  "%": (left, right) => {
    if (!Number.isInteger(left) || !Number.isInteger(right)) return TYPE_MISMATCH;
    return right === 0 ? NUMBER_OVERFLOW : (Number(left) % Number(right)) + 0;
  },
};

// An answer that was cut short says nothing.
function settle(answer: boolean, meter: Meter): Value {
  return isSpent(meter) ? STEPS_EXHAUSTED : answer;
}

/** True when two values are the same JSON. Values of different types are not. */
function isEqual(left: JsonValue, right: JsonValue, meter: Meter): boolean {
  if (!spend(meter, 1)) return false;
  if (typeof left === "string" && typeof right === "string") {
    return left.length === right.length && spendOnText(meter, left.length) && left === right;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return false;
    return left.every((item, index) => isEqual(item, right[index] ?? null, meter));
  }
  if (!isObject(left) || !isObject(right)) return left === right;
  const keys = listKeys(left, meter);
  if (keys.length !== listKeys(right, meter).length) return false;
  return keys.every(
    (key) => Object.hasOwn(right, key) && isEqual(left[key] ?? null, right[key] ?? null, meter),
  );
}

/** The fields of an object. Only a list of them can be counted, so it is paid for afterwards. */
export function listKeys(object: { readonly [key: string]: JsonValue }, meter: Meter): string[] {
  const keys = Object.keys(object);
  return spend(meter, keys.length) ? keys : [];
}

function isIn(item: JsonValue, container: JsonValue, meter: Meter): Value {
  if (Array.isArray(container)) {
    return settle(
      container.some((other) => isEqual(item, other, meter) || isSpent(meter)),
      meter,
    );
  }
  if (!isObject(container) || typeof item !== "string") return TYPE_MISMATCH;
  return readField(container, item) !== FIELD_MISSING;
}

function order(test: (sign: number) => boolean): Operator {
  return (left, right, meter) => {
    if (typeof left === "number" && typeof right === "number") return test(left - right);
    if (typeof left !== "string" || typeof right !== "string") return TYPE_MISMATCH;
    if (!spendOnText(meter, Math.min(left.length, right.length))) return STEPS_EXHAUSTED;
    return test(left === right ? 0 : left < right ? -1 : 1);
  };
}

function add(left: JsonValue, right: JsonValue, meter: Meter): Value {
  if (typeof left === "string" && typeof right === "string") {
    return spendOnText(meter, left.length + right.length) ? left + right : STEPS_EXHAUSTED;
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    return spend(meter, left.length + right.length) ? [...left, ...right] : STEPS_EXHAUSTED;
  }
  return addNumbers(left, right, meter);
}

const addNumbers = onNumbers((left, right) => left + right);

// Whole numbers stay exact, and no number becomes infinite: an inexact result is a failure.
function onNumbers(compute: (left: number, right: number) => number): Operator {
  return (left, right) => {
    if (typeof left !== "number" || typeof right !== "number") return TYPE_MISMATCH;
    const result = compute(left, right);
    const isWhole = Number.isInteger(left) && Number.isInteger(right);
    const fits = isWhole ? Number.isSafeInteger(result) : Number.isFinite(result);
    return fits ? result + 0 : NUMBER_OVERFLOW;
  };
}
