/**
 * Shapes of a document that is written by hand: every fault is found, with its place. The checks of
 * the protocol judge each value; here are the places and the words.
 */

import type { Finding } from "@turnseal/documents";
import { formatPointer, isPlainObject } from "@turnseal/protocol";
import { type Check, isCount, isFlag, isOneOf, isText } from "@turnseal/protocol/shape";
import { HARNESS_ITEMS_MAX } from "./harness.ts";

export type Fault = Pick<Finding, "rule" | "path" | "message" | "mend">;

/** Checks a value, and returns its faults. */
export type Shape = (value: unknown, path: string) => Fault[];

export interface RecordShape {
  readonly required?: Readonly<Record<string, Shape>>;
  readonly optional?: Readonly<Record<string, Shape>>;
  /** Exactly one of these stands there. */
  readonly oneOf?: readonly string[];
  /** At least one of these stands there. */
  readonly anyOf?: readonly string[];
}

export const anything: Shape = () => [];
export const text = ofKind("a text", (value) => typeof value === "string" && value !== "");
export const anyText = ofKind("a text", isText);
export const truth = ofKind("true or false", isFlag);
export const table = ofKind("an object", isPlainObject);
export const count = ofKind("a whole number of at least zero", isCount);

export function word(words: readonly string[]): Shape {
  return ofKind(`one of ${words.join(", ")}`, isOneOf(words));
}

/** A value of one kind. */
export function ofKind(wanted: string, accepts: Check): Shape {
  return (value, path) =>
    accepts(value) ? [] : [fault("field-type", path, "is wrong", `write ${wanted}`)];
}

export function listOf(item: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) return [fault("field-type", path, "is not a list", "write a list")];
    if (value.length > HARNESS_ITEMS_MAX) return [tooMany(path, value.length)];
    return value.flatMap((each: unknown, index) => item(each, `${path}/${index}`));
  };
}

export function mapOf(item: Shape): Shape {
  return (value, path) => {
    if (!isPlainObject(value))
      return [fault("field-type", path, "is not an object", "write an object")];
    const entries = Object.entries(value);
    if (entries.length > HARNESS_ITEMS_MAX) return [tooMany(path, entries.length)];
    return entries.flatMap(([name, each]) => item(each, `${path}${formatPointer([name])}`));
  };
}

/** The first shape for lists and texts, the second for objects. */
export function objectOr(other: Shape, object: Shape): Shape {
  return (value, path) => (isPlainObject(value) ? object : other)(value, path);
}

/** An object with these fields and no others. */
export function recordOf({
  required = {},
  optional = {},
  oneOf = [],
  anyOf = [],
}: RecordShape): Shape {
  const known = new Map(Object.entries({ ...required, ...optional }));
  return (value, path) => {
    if (!isPlainObject(value))
      return [fault("field-type", path, "is not an object", "write its fields")];
    const missing = Object.keys(required)
      .filter((name) => value[name] === undefined)
      .map((name) => fault("field-missing", path, `\`${name}\` is missing`, `add \`${name}\``));
    const wrong = Object.entries(value).flatMap(([name, field]) => {
      const place = `${path}${formatPointer([name])}`;
      const shape = known.get(name);
      if (shape !== undefined) return shape(field, place);
      const mend = `use one of ${[...known.keys()].join(", ")}`;
      return [fault("field-unknown", place, `\`${name}\` is not known here`, mend)];
    });
    return [...missing, ...wrong, ...checkChoice(value, path, { oneOf, anyOf })];
  };
}

function checkChoice(
  value: object,
  path: string,
  { oneOf, anyOf }: Required<Pick<RecordShape, "oneOf" | "anyOf">>,
): Fault[] {
  const present = oneOf.filter((name) => Object.hasOwn(value, name));
  const faults: Fault[] = [];
  if (oneOf.length > 0 && present.length !== 1) {
    const rule = present.length === 0 ? "field-missing" : "field-misplaced";
    const message =
      present.length === 0 ? "has none of its fields" : `has ${present.join(" and ")}`;
    faults.push(fault(rule, path, message, `write exactly one of ${oneOf.join(", ")}`));
  }
  if (anyOf.length > 0 && !anyOf.some((name) => Object.hasOwn(value, name)))
    faults.push(
      fault("field-missing", path, "has none of its fields", `write one of ${anyOf.join(", ")}`),
    );
  return faults;
}

export function fault(rule: Fault["rule"], path: string, what: string, mend: string): Fault {
  return { rule, path, message: `${path === "" ? "the file" : path} ${what}`, mend };
}

function tooMany(path: string, found: number): Fault {
  return fault("field-type", path, `has ${found} items`, `write at most ${HARNESS_ITEMS_MAX}`);
}
