/**
 * The functions of expressions. The list is closed and short: any other function is refused when
 * the expression is read. So an expression cannot ask for the time, make texts grow, or match a
 * pattern from its arguments.
 */
import { canonicalize, type JsonValue } from "@turnseal/protocol";
import type { Meter } from "../meter.ts";
import { listKeys } from "./operators.ts";
import { spendOnText } from "./spend-on-text.ts";
import { isObject, STEPS_EXHAUSTED, TYPE_MISMATCH, type Value } from "./value.ts";

export type Method = (receiver: JsonValue, argument: JsonValue, meter: Meter) => Value;

/** Functions of one value. */
export const FUNCTIONS: Readonly<Record<string, Method>> = {
  size: (value, _, meter) => measure(value, meter),
  // Lists and objects can be written in many ways, and null is mostly a mistake.
  string: (value) => {
    if (typeof value === "string") return value;
    const isPlain = typeof value === "number" || typeof value === "boolean";
    return isPlain ? canonicalize(value) : TYPE_MISMATCH;
  },
};

/** Methods that take nothing. */
export const PLAIN_METHODS: Readonly<Record<string, Method>> = {
  size: (value, _, meter) => measure(value, meter),
  lowerAscii: onText((text) => shiftLetters(text, CODE_OF_UPPER_A, CASE_APART)),
  upperAscii: onText((text) => shiftLetters(text, CODE_OF_LOWER_A, -CASE_APART)),
};

const CODE_OF_UPPER_A = 65;
const CODE_OF_LOWER_A = 97;
const CASE_APART = 32;
const LETTERS = 26;
const CHUNK = 4_096;

/** By its codes: a function that is called for each run of letters costs more than its steps. */
function shiftLetters(text: string, first: number, shift: number): string {
  let shifted = "";
  for (let start = 0; start < text.length; start += CHUNK) {
    const codes = new Uint16Array(Math.min(CHUNK, text.length - start));
    for (let at = 0; at < codes.length; at++) {
      const code = text.charCodeAt(start + at);
      codes[at] = code >= first && code < first + LETTERS ? code + shift : code;
    }
    shifted += Reflect.apply(String.fromCharCode, undefined, codes);
  }
  return shifted;
}

/** Methods of a text that take another. */
export const TEXT_METHODS: Readonly<Record<string, Method>> = {
  startsWith: onTexts(
    (_, part) => part.length,
    (text, part) => text.startsWith(part),
  ),
  endsWith: onTexts(
    (_, part) => part.length,
    (text, part) => text.endsWith(part),
  ),
  // The host's search may compare the whole part at each place, and an attacker can make such
  // texts.
  contains: onTexts(
    (text, part) => text.length * part.length,
    (text, part) => text.includes(part),
  ),
};

/** The number of code points, items or fields. */
function measure(value: JsonValue, meter: Meter): Value {
  if (Array.isArray(value)) return value.length;
  if (isObject(value)) return listKeys(value, meter).length;
  if (typeof value !== "string") return TYPE_MISMATCH;
  if (!spendOnText(meter, value.length)) return STEPS_EXHAUSTED;
  let count = 0;
  for (const _ of value) count += 1;
  return count;
}

function onText(compute: (text: string) => string): Method {
  return (text, _, meter) => {
    if (typeof text !== "string") return TYPE_MISMATCH;
    return spendOnText(meter, text.length) ? compute(text) : STEPS_EXHAUSTED;
  };
}

function onTexts(
  units: (text: string, part: string) => number,
  test: (text: string, part: string) => boolean,
): Method {
  return (text, part, meter) => {
    if (typeof text !== "string" || typeof part !== "string") return TYPE_MISMATCH;
    return spendOnText(meter, units(text, part)) ? test(text, part) : STEPS_EXHAUSTED;
  };
}
