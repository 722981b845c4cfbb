/** The ways to break a valid value. Each changes its argument. */
import { hostileExpressions } from "./hostile-expressions.ts";
import { hostilePatterns } from "./hostile-patterns.ts";
import { hostileSchemas } from "./hostile-schemas.ts";
import { isContainer, pickPlace, readPlace, removePlace, writePlace } from "./places.ts";
import type { Random } from "./random.ts";

export type Mutation = (root: unknown, random: Random) => void;

const prototypeNames = [
  ...["__proto__", "constructor", "prototype", "toString", "valueOf", "hasOwnProperty"],
  ...["__defineGetter__", "then", "toJSON", "length", "isPrototypeOf"],
];
const oddValues: readonly unknown[] = [
  ...[null, true, false, 0, -0, -1, 1.5, 1e308, 5e-324, Number.MAX_SAFE_INTEGER + 2],
  ...["", "0", "null", "\u0000", "\ud800", "💡".repeat(50), "{{x}}", "$.input", "literal:"],
  ...[
    [],
    {},
    [[]],
    { a: {} },
    [null],
    { toString: 1, valueOf: 1 },
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ],
  ...[undefined, () => 1, Symbol("odd"), 10n, new Date(0), new Map(), /a/, new (class Odd {})()],
  ...["9.9.9", "1.0", "input", "steps", "#", "#/$defs/a", "$.steps[0].output", "mock"],
];

export const mutations = {
  "type swapped": (root, random) => {
    const place = pickPlace(root, random);
    if (place !== undefined) writePlace(place, random.pick(oddValues));
  },
  "key dropped": (root, random) => {
    const place = pickPlace(root, random);
    if (place !== undefined) removePlace(place);
  },
  "key doubled": (root, random) => {
    const place = pickPlace(root, random);
    if (place === undefined) return;
    const copy = structuredCopy(readPlace(place));
    if (Array.isArray(place.holder)) place.holder.push(copy);
    else
      writePlace({ holder: place.holder, key: `${place.key}${random.pick(["", " ", "2"])}` }, copy);
  },
  "key renamed to a prototype name": (root, random) => {
    const place = pickPlace(root, random);
    if (place === undefined) return;
    const value = readPlace(place);
    removePlace(place);
    writePlace({ holder: place.holder, key: random.pick(prototypeNames) }, value);
  },
  "text replaced by a prototype name": (root, random) => {
    const place = pickPlace(root, random);
    if (place === undefined) return;
    const name = random.pick(prototypeNames);
    writePlace(place, random.pick([name, `$.input.${name}`, `$.${name}`, `{{${name}}}`]));
  },
  "nested too deep": (root, random) => {
    const place = pickPlace(root, random);
    if (place === undefined) return;
    const wrap = random.pick([
      (inner: unknown) => [inner],
      (inner: unknown) => ({ a: inner }),
      (inner: unknown) => ({ items: inner }),
      (inner: unknown) => ({ properties: { a: inner } }),
    ]);
    let value: unknown = readPlace(place);
    for (let depth = random.pick([33, 64, 127, 129, 500]); depth > 0; depth--) value = wrap(value);
    writePlace(place, value);
  },
  "grown too large": (root, random) => {
    const place = pickPlace(root, random);
    if (place === undefined) return;
    const size = random.pick([300, 300, 300, 1_100, 1_100, 70_000]);
    const grow = random.pick([
      () => "x".repeat(size * 16),
      () => Array.from({ length: size }, (_, index) => index),
      () => Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, {}])),
      () => repeatValue(readPlace(place), Math.min(size, 300)),
    ]);
    writePlace(place, grow());
  },
  "object made cyclic": (root, random) => {
    const place = pickPlace(root, random);
    if (place !== undefined) writePlace(place, random.pick([root, place.holder, shareParts()]));
  },
  "hostile pattern": (root, random) => {
    const pattern = random.pick(hostilePatterns);
    const schema = random.pick([
      { pattern },
      { patternProperties: { [pattern]: true } },
      { propertyNames: { pattern } },
      { items: { pattern }, additionalProperties: { pattern } },
    ]);
    placeSchema(root, schema, random);
  },
  "hostile expression": (root, random) => {
    const place = pickPlace(root, random);
    if (place !== undefined) writePlace(place, { cel: random.pick(hostileExpressions) });
  },
  "hostile schema": (root, random) => {
    placeSchema(root, random.pick(hostileSchemas)(), random);
  },
  "object that fights back": (root, random) => {
    const place = pickPlace(root, random);
    if (place === undefined) return;
    const fight = (): never => {
      throw new Error("it fights back");
    };
    const fighter = random.pick([
      () => new Proxy({}, { ownKeys: fight }),
      () => new Proxy([], { get: fight }),
      () => Object.defineProperty({}, "a", { enumerable: true, get: fight }),
      () => ({ toJSON: fight, toString: fight }),
    ]);
    writePlace(place, fighter());
  },
} as const satisfies Record<string, Mutation>;

export type MutationName = keyof typeof mutations;

/** A part that is reached by more ways than can be written out. */
function shareParts(): object {
  let part: object = { leaf: 1 };
  for (let level = 0; level < 40; level++) part = { left: part, right: part };
  return part;
}

/** Puts a schema where a document has one, or anywhere in a value that is no document. */
function placeSchema(root: unknown, schema: unknown, random: Random): void {
  if (!isContainer(root)) return;
  const key = random.pick(["inputSchema", "inputSchema", "outputSchema"]);
  const place = Object.hasOwn(root, key) ? { holder: root, key } : pickPlace(root, random);
  if (place !== undefined) writePlace(place, schema);
}

// A value that was broken before may have parts that cannot be cloned.
/** A value that has grown before is not made as large again as often. */
const REPEATED_LENGTH_MAX = 4_000_000;

function repeatValue(value: unknown, most: number): unknown[] {
  const room = Math.floor(REPEATED_LENGTH_MAX / (lengthOf(value) + 1));
  return Array(Math.max(1, Math.min(most, room))).fill(structuredCopy(value));
}

function lengthOf(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0;
  } catch {
    return 0;
  }
}

function structuredCopy(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return value;
  }
}
