/** Values that nobody expects: too deep, too large, no JSON at all, or JSON of the oddest kind. */
import type { JsonValue } from "@turnseal/protocol";
import type { Random } from "./random.ts";

const names = [
  "a",
  "text",
  "",
  "__proto__",
  "constructor",
  "\0",
  "\ud800",
  "ä💡",
  "toJSON",
  "then",
];
const texts = [
  ...["", "ok", "a\0b", "\ud800", "\udc00x", "💡".repeat(40), "\u2028", "{{x}}", "$.output"],
  ...["9999-12-31T23:59:59.999Z", "-1", "NaN", "[[[[", '{"a":', "goal-reached", "approve"],
];
const numbers = [
  ...[0, -0, 1, -1, 1.5, 1e300, -1e300, 5e-324, 2 ** 53, 8.64e15, 8.64e15 + 1],
  ...[Number.MAX_SAFE_INTEGER, Number.NaN, Number.POSITIVE_INFINITY],
];

/** Depths at which somebody has drawn a line, and around them. */
const depths = [2, 63, 64, 64, 65, 96, 97, 126, 127, 127, 128, 128, 129, 20_000];

/** Anything that code of somebody else can give. */
export function hostileValue(random: Random): unknown {
  const chosen = random.next();
  if (chosen < 0.6) return hostileJson(random);
  return random.pick<() => unknown>([
    () => undefined,
    () => 10n,
    () => Symbol("odd"),
    () => () => 1,
    () => new Date(Number.NaN),
    () => new Map([[1, 2]]),
    () => new (class Odd {})(),
    () => createCycle(),
    () => new Array(100_000_000),
    () => ({ [Symbol("odd")]: 1 }),
    () => Object.defineProperty({}, "a", { enumerable: true, get: throwOdd }),
    () => new Proxy({}, { ownKeys: throwOdd, get: throwOdd, getPrototypeOf: throwOdd }),
    () => Object.create({ inherited: 1 }),
  ])();
}

/** Values that look like JSON; some cannot be written as JSON. */
export function hostileJson(random: Random): JsonValue {
  return random.pick<() => JsonValue>([
    () => null,
    () => random.next() < 0.5,
    () => random.pick(numbers),
    () => random.pick(texts),
    () => "x".repeat(random.pick([1_000, 70_000, 1_048_574, 1_048_575, 2_200_000])),
    () => nest(random, random.pick(depths)),
    () => nest(random, random.pick(depths)),
    () => nest(random, random.pick(depths)),
    () => [random.pick(texts), random.pick(numbers), {}],
    () => hostileObject(random),
    () => Array.from({ length: random.pick([0, 3, 5_000]) }, () => random.pick(numbers)),
  ])();
}

/** An object with odd fields. */
export function hostileObject(random: Random): { [name: string]: JsonValue } {
  const fields = Array.from({ length: random.below(5) }, (): [string, JsonValue] => [
    random.pick(names),
    random.next() < 0.3 ? nest(random, random.pick(depths)) : random.pick([...texts, ...numbers]),
  ]);
  return Object.fromEntries(fields);
}

/** Values that foreign code may throw. */
export function hostileError(random: Random): unknown {
  return random.next() < 0.5
    ? Object.assign(new Error(random.pick(texts)), { code: random.pick(texts), retry: "never" })
    : hostileValue(random);
}

function nest(random: Random, depth: number): JsonValue {
  const isList = random.next() < 0.5;
  let value: JsonValue = random.pick(texts);
  for (let level = 0; level < depth; level++) value = isList ? [value] : { a: value };
  return value;
}

function createCycle(): object {
  const cycle: Record<string, unknown> = {};
  cycle["self"] = [cycle];
  return cycle;
}

function throwOdd(): never {
  throw new Error("odd");
}
