/**
 * References: what stands in a mapping for a value that is known when the composite runs. They
 * record where it will come from, and what remains of them is a source of the document.
 *
 * A placeholder stands for a whole field. Reading it as an object (by spreading it, or inside a
 * constant) would silently give an empty one, and as a text a useless one: both throw.
 */
import type { MappingSource } from "../loop/mapping.ts";
import { formatPath, type PathSegment } from "../loop/path.ts";
import { AuthoringError } from "./authoring-error.ts";

export declare const refersTo: unique symbol;

/** Stands for a value that will be known when the composite runs. */
export interface Placeholder<Value> {
  readonly [refersTo]: Value;
}

/** A placeholder whose fields are references too. */
export type Reference<Value> = Placeholder<Value> &
  (Value extends readonly (infer Item)[]
    ? ItemReferences<Item> & PlaceReferences<Value>
    : Value extends object
      ? { readonly [Key in keyof Value]-?: Reference<Value[Key]> }
      : Value extends string
        ? Uncomputed<keyof string>
        : Value extends number
          ? Uncomputed<keyof number>
          : unknown);

/**
 * Every method of a text or a number, as what the compiler says when a mapping calls it. Its type
 * is no text, since of that it would only say that a String has no call signatures.
 */
type Uncomputed<Method extends PropertyKey> = {
  readonly [Name in Method]: {
    "a mapping computes only with text`...` and orElse(...): compute the rest in a tool": never;
  };
};

/**
 * The items of a list, also from its end. The usual places are spelled out, so that they need no
 * test for undefined.
 */
type ItemReferences<Item> = {
  readonly [Place in -1 | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7]: Reference<Item>;
} & { readonly [index: number]: Reference<Item> };

/** Of a list whose places are known one by one: each with its own type. */
type PlaceReferences<List extends readonly unknown[]> = number extends List["length"]
  ? unknown
  : { readonly [Place in Extract<keyof List, `${number}`>]: Reference<List[Place]> };

/** The source behind a placeholder: the path to a value, or an expression. */
export type PlaceholderSource =
  | {
      readonly kind: "path";
      readonly segments: readonly PathSegment[];
      /** How many of the segments lead to something in any case. */
      readonly sureLength: number;
    }
  | { readonly kind: "expression"; readonly cel: string };

const sourceOf = Symbol("turnseal.source");

/**
 * A reference to the value at these segments; its fields are references. The input is there, and a
 * step has a result with its facts: only values below them may be missing, unless the caller says
 * otherwise.
 */
export function createReference(
  segments: readonly PathSegment[],
  sureLength: number = segments[0] === "input" ? 1 : 2,
): unknown {
  return createPlaceholder({ kind: "path", segments, sureLength }, (name) => {
    const segment = /^(0|-?[1-9][0-9]*)$/.test(name) ? Number(name) : name;
    return createReference([...segments, segment], sureLength);
  });
}

/** Stands for the result of an expression. Its fields are unknown. */
export function createComputed<Value>(cel: string): Placeholder<Value> {
  const computed = createPlaceholder({ kind: "expression", cel }, () => undefined);
  // The types are the whole safety of a placeholder: at run time it only has a source.
  return computed as Placeholder<Value>;
}

function createPlaceholder(
  source: PlaceholderSource,
  readField: (name: string) => unknown,
): unknown {
  const refuse = (mistake: string): never => {
    const shown = source.kind === "path" ? formatPath(source.segments) : source.cel;
    throw new AuthoringError("REFERENCE_MISPLACED", `${shown} ${mistake}`);
  };
  return new Proxy(Object.freeze({}), {
    ownKeys: () => refuse("is not a whole field"),
    get: (_, key) => {
      if (key === sourceOf) return source;
      if (key === Symbol.toPrimitive)
        return refuse(
          "is used as text or a number: write text`...` for a text and orElse(...) for a default," +
            " and compute the rest in a tool",
        );
      return typeof key === "symbol" ? undefined : readField(key);
    },
  });
}

/** The source of a placeholder; undefined for every other value. */
export function readPlaceholder(value: unknown): PlaceholderSource | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as { [sourceOf]?: PlaceholderSource })[sourceOf];
}

/** The source of a document that a placeholder becomes. */
export function toMappingSource(source: PlaceholderSource): MappingSource {
  return source.kind === "path" ? formatPath(source.segments) : { cel: source.cel };
}
