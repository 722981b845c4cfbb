/** The fields of a mapping: what may stand in them, and what they become in a document. */
import { canonicalize } from "../canonical-json.ts";
import type { Mapping, MappingSource } from "../loop/mapping.ts";
import { type Placeholder, readPlaceholder, type refersTo, toMappingSource } from "./reference.ts";

/**
 * Where each field of a loop's input comes from: a reference, or a value of the right type. Never
 * one reference for all.
 */
export type MappingTo<Input> = {
  readonly [Key in keyof Input]: Placeholder<Input[Key]> | Fixed<Input[Key]>;
} & { readonly [refersTo]?: never };

/** A constant: it is copied, so a list that must not be changed will do. */
type Fixed<Value> = Value extends readonly unknown[] ? Readonly<Value> : Value;

/**
 * Type errors for fields that must be mistakes: fields that the loop does not take, and template
 * literals, which are texts before any value is known. Other fields get no constraint.
 */
export type Checked<Fields, Name extends PropertyKey = PropertyKey> = {
  readonly [Key in keyof Fields]: Key extends Name
    ? IsTemplate<Fields[Key]> extends true
      ? { "write text`...`: what a mapping refers to is not known yet": never }
      : unknown
    : { "the input has no such field": never };
};

/** True for the type of a template literal that holds more than constants. */
type IsTemplate<Text> = [Text] extends [string]
  ? string extends Text
    ? false
    : Record<never, never> extends Record<Text, never>
      ? true
      : false
  : false;

/** The fields of every alternative of a type. */
export type FieldOf<Input> = Input extends unknown ? keyof Input : never;

/** References and constants by field, and not one reference for all. */
export interface FieldSources {
  readonly [field: string]: unknown;
  readonly [refersTo]?: never;
}

/** The value that a mapping gives when its references are known. */
export type ResolvedFields<Fields> = {
  -readonly [Key in keyof Fields]: Fields[Key] extends { readonly [refersTo]: infer Value }
    ? Value
    : Fields[Key] extends readonly (infer Item)[]
      ? Item[]
      : Fields[Key];
};

/** The mapping of a document that fields become. */
export function toMapping(fields: object): Mapping {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, toSource(value)]),
  );
}

export function toSource(value: unknown): MappingSource {
  const source = readPlaceholder(value);
  // A copy, so that the document cannot change later; it also finds what is not JSON while the
  // author is at hand.
  return source === undefined
    ? { const: JSON.parse(canonicalize(value)) }
    : toMappingSource(source);
}
