/**
 * Readers for JSON of an expected shape: vector files, and the answers of a program under test.
 *
 * A reader answers the typed value or throws a `ShapeError` that says where the value is wrong.
 *
 * They are not the checks of `@turnseal/protocol/shape`, on purpose. A check there that is too
 * loose would let our own program answer too much, and no test here would fail.
 */
import { isPlainObject, type JsonValue, LoopError } from "@turnseal/protocol";

export type Parse<Value> = (value: unknown, where: string) => Value;
type Parsed<Of> = Of extends Parse<infer Value> ? Value : never;
type Fields = Readonly<Record<string, Parse<unknown>>>;
type ParsedFields<Required extends Fields, Optional extends Fields> = {
  readonly [Name in keyof Required]: Parsed<Required[Name]>;
} & { readonly [Name in keyof Optional]?: Parsed<Optional[Name]> };

/** A value that does not have the shape it must have. */
export class ShapeError extends LoopError<"SHAPE_INVALID"> {
  constructor(where: string, expected: string) {
    super({ code: "SHAPE_INVALID", retry: "never", message: `${where} must be ${expected}` });
  }
}

/** Any JSON value: any result of `JSON.parse`. */
export const parseJson: Parse<JsonValue> = (value) => value as JsonValue;

export const parseText: Parse<string> = (value, where) => {
  if (typeof value !== "string") throw new ShapeError(where, "a string");
  return value;
};

export const parseCount: Parse<number> = (value, where) => {
  if (!Number.isSafeInteger(value) || Number(value) < 0) {
    throw new ShapeError(where, "a whole number of at least zero");
  }
  return Number(value);
};

export const parseTrue: Parse<true> = (value, where) => {
  if (value !== true) throw new ShapeError(where, "true, or left out");
  return true;
};

/** One of the given words. */
export function parseWord<const Word extends string>(...words: readonly Word[]): Parse<Word> {
  return (value, where) => {
    const word = words.find((candidate) => candidate === value);
    if (word === undefined) throw new ShapeError(where, `one of ${words.join(", ")}`);
    return word;
  };
}

export function parseList<Item>(parseItem: Parse<Item>): Parse<readonly Item[]> {
  return (value, where) => {
    if (!Array.isArray(value)) throw new ShapeError(where, "a list");
    return value.map((item, index) => parseItem(item, `${where}[${index}]`));
  };
}

/** An object used as a table: any names, values of one shape. */
export function parseTable<Value>(
  parseValue: Parse<Value>,
): Parse<Readonly<Record<string, Value>>> {
  return (value, where) => {
    const entries = Object.entries(parseObject(value, where));
    return Object.fromEntries(
      entries.map(([name, item]) => [name, parseValue(item, `${where}.${name}`)]),
    );
  };
}

export const parseObject: Parse<Readonly<Record<string, unknown>>> = (value, where) => {
  if (!isPlainObject(value)) throw new ShapeError(where, "an object");
  return value;
};

/**
 * An object with the given fields. Other fields are ignored: a program may answer more than
 * required.
 */
export function parseFields<Required extends Fields, Optional extends Fields>(
  required: Required,
  optional: Optional,
): Parse<ParsedFields<Required, Optional>> {
  return (value, where) => {
    const object = parseObject(value, where);
    const fields: Record<string, unknown> = {};
    for (const [name, parse] of Object.entries(required)) {
      fields[name] = parse(readOwn(object, name), `${where}.${name}`);
    }
    for (const [name, parse] of Object.entries(optional)) {
      const field = readOwn(object, name);
      if (field !== undefined) fields[name] = parse(field, `${where}.${name}`);
    }
    return fields as ParsedFields<Required, Optional>;
  };
}

/** As `parseFields`, and nothing else: a misspelt expectation would otherwise never be checked. */
export function parseExactFields<Required extends Fields, Optional extends Fields>(
  required: Required,
  optional: Optional,
): Parse<ParsedFields<Required, Optional>> {
  const parse = parseFields(required, optional);
  return (value, where) => {
    const parsed = parse(value, where);
    for (const name of Object.keys(parseObject(value, where))) {
      if (Object.hasOwn(required, name) || Object.hasOwn(optional, name)) continue;
      throw new ShapeError(`${where}.${name}`, "left out: it is not a known field");
    }
    return parsed;
  };
}

function readOwn(object: Readonly<Record<string, unknown>>, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
