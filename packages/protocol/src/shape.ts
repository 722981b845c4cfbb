/**
 * The one way to look at a value from outside: small checks, put together.
 *
 * 1. A check answers yes or no. It throws nothing and changes nothing.
 * 2. Only an object's own fields count. An undefined field counts as absent, as in JSON; a hole in
 *    a list is undefined.
 * 3. The compiler holds a check against the type that it vouches for.
 * 4. Here are no messages: who reads a grant, an envelope or a document says in its own words what
 *    is wrong with it.
 */
import { isPlainObject } from "./canonical-json.ts";

export type Check = (value: unknown) => boolean;
/** A check that vouches for a type. */
export type Is<Value> = (value: unknown) => value is Value;
type CheckedBy<Of> = Of extends Is<infer Value> ? Value : unknown;

/** A check, and in words what it accepts. */
export interface Form {
  readonly accepts: Check;
  readonly wanted: string;
}

export const isText: Is<string> = (value) => typeof value === "string";
export const isFlag: Is<boolean> = (value) => typeof value === "boolean";
export const isTrue: Is<true> = (value) => value === true;
/** A whole number, as every language writes it. */
export const isWhole: Is<number> = (value): value is number => Number.isSafeInteger(value);
/** A whole number of at least zero. */
export const isCount: Is<number> = (value): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
/** A SHA-256 in lower-case hex, as the hash of an event is written. */
export const isHash: Is<string> = (value): value is string =>
  typeof value === "string" && /^[0-9a-f]{64}$/.test(value);

interface Range {
  readonly least?: number;
  readonly most?: number;
}

/** A whole number in a range; both ends belong to it. */
export function isCountWithin({ least, most }: Required<Range>): Is<number> {
  return (value): value is number =>
    Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most;
}

export function isNullOr<Value>(check: Is<Value>): Is<Value | null> {
  return (value): value is Value | null => value === null || check(value);
}

export function isOneOf<const Word extends string>(words: readonly Word[]): Is<Word> {
  return (value): value is Word => (words as readonly unknown[]).includes(value);
}

/** A list of so many items, each by the same check. */
export function isListOf<Item>(
  check: Is<Item>,
  { least = 0, most = Number.POSITIVE_INFINITY }: Range = {},
): Is<readonly Item[]> {
  // `every` would pass over holes; `findIndex` reads them as undefined.
  return (value): value is readonly Item[] =>
    Array.isArray(value) &&
    value.length >= least &&
    value.length <= most &&
    value.findIndex((item) => !check(item)) === -1;
}

/** Checks of fields, by name. */
export type Checks = Readonly<Record<string, Check>>;

/** The fields of an object: the required ones, and the optional ones. */
export interface Fields {
  readonly always: Checks;
  readonly sometimes: Checks;
}

type OptionalNames<Value> = {
  [Name in keyof Value]-?: object extends Pick<Value, Name> ? Name : never;
}[keyof Value];

/** A check for every field of a type, and for no other. */
export interface FieldsOf<Value> {
  readonly always: {
    readonly [Name in Exclude<keyof Value, OptionalNames<Value>>]: Is<Value[Name]>;
  };
  readonly sometimes: {
    readonly [Name in OptionalNames<Value>]-?: Is<Exclude<Value[Name], undefined>>;
  };
}

type Having<Always extends Checks, Sometimes extends Checks> = {
  readonly [Name in keyof Always]: CheckedBy<Always[Name]>;
} & { readonly [Name in keyof Sometimes]?: CheckedBy<Sometimes[Name]> };

/** An object with these fields and no others. */
export function hasOnly<Always extends Checks, Sometimes extends Checks = Record<never, Check>>(
  always: Always,
  sometimes: Sometimes = {} as Sometimes,
): Is<Having<Always, Sometimes>> {
  const checks = new Map<string, Check>(Object.entries<Check>({ ...sometimes, ...always }));
  const needed = new Set(Object.keys(always));
  return (value): value is Having<Always, Sometimes> => {
    if (!isPlainObject(value)) return false;
    let found = 0;
    for (const name of Object.keys(value)) {
      const check = checks.get(name);
      const isNeeded = needed.has(name);
      if (isNeeded) found += 1;
      const isAbsent = !isNeeded && value[name] === undefined;
      if (check === undefined || !(isAbsent || check(value[name]))) return false;
    }
    return found === needed.size;
  };
}

/** An object with at least these fields. Others are left alone. */
export function hasFields<Always extends Checks, Sometimes extends Checks = Record<never, Check>>(
  always: Always,
  sometimes: Sometimes = {} as Sometimes,
): Is<Having<Always, Sometimes>> {
  // Lists side by side, and no closures: events and answers are checked by the thousand.
  const names = Object.keys(always);
  const checks = Object.values<Check>(always);
  const otherNames = Object.keys(sometimes);
  const otherChecks = Object.values<Check>(sometimes);
  return (value): value is Having<Always, Sometimes> => {
    if (!isPlainObject(value)) return false;
    for (let index = 0; index < names.length; index++)
      if (checks[index]?.(readOwn(value, names[index] ?? "")) !== true) return false;
    for (let index = 0; index < otherNames.length; index++) {
      const field = readOwn(value, otherNames[index] ?? "");
      if (field !== undefined && otherChecks[index]?.(field) !== true) return false;
    }
    return true;
  };
}

function readOwn(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** The first field that is not as it must be. */
export interface WrongField {
  readonly name: string;
  readonly fault: "missing" | "wrong" | "unknown";
}

/** Why an object does not have exactly these fields; undefined if it does. */
export function findWrongField(
  { always, sometimes }: Fields,
  object: Readonly<Record<string, unknown>>,
): WrongField | undefined {
  for (const name of Object.keys(always)) {
    if (!Object.hasOwn(object, name)) return { name, fault: "missing" };
    if (always[name]?.(object[name]) !== true) return { name, fault: "wrong" };
  }
  for (const name of Object.keys(object)) {
    if (Object.hasOwn(always, name)) continue;
    if (!Object.hasOwn(sometimes, name)) return { name, fault: "unknown" };
    if (object[name] !== undefined && sometimes[name]?.(object[name]) !== true)
      return { name, fault: "wrong" };
  }
  return undefined;
}
