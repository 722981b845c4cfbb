/**
 * Values that are hard to keep: nested around every bound, large, wide, or impossible in JSON. A
 * speaker of such values must not be able to stop a run for good.
 */
import type { JsonValue } from "@turnseal/protocol";
import type { Random } from "./random.ts";

/** Where a hostile value comes from. */
export const SPEAKERS = [
  "model",
  "arguments",
  "tool",
  "signal",
  "answer",
  "edit",
  "resolution",
] as const;
export type Speaker = (typeof SPEAKERS)[number];

export interface HostileWords {
  readonly random: Random;
  readonly tally: { count(what: string): void };
  /** How often somebody says such a thing. */
  readonly weirdness: number;
}

/** Sometimes a field with a hostile value, to be spread into what somebody says. */
export function drawHostile(
  { random, tally, weirdness }: HostileWords,
  speaker: Speaker,
): Record<string, JsonValue> {
  if (!random.chance(weirdness)) return {};
  tally.count(`text hostile-${speaker}`);
  const draw = random.pick(DRAWS);
  return { [random.pick(NAMES)]: draw(random) };
}

const NAMES = ["deep", "deep", "constructor", "toString", "a\u0000b", "", "\ud83d"] as const;

const DRAWS: readonly ((random: Random) => JsonValue)[] = [
  (random) => nest(random.between(61, 65)),
  (random) => nest(random.between(122, 128)),
  (random) => nest(random.between(122, 128)),
  (random) => nest(random.between(122, 128)),
  () => nest(1_500),
  (random) => "x".repeat(random.pick([64 * 1_024, 256 * 1_024, 1_024 * 1_024, 2_100_000])),
  (random) => Array.from({ length: random.pick([1_000, 20_000]) }, () => 0),
  () => "nul \u0000, half a pair \ud83d, a mark \u2028",
  (random) => random.pick([Number.MAX_VALUE, 2 ** 53, -0, 1e-320]),
];

/** Lists and objects in turns, so many of them around one another. */
function nest(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 1; level <= depth; level++) value = level % 2 === 0 ? [value] : { in: value };
  return value;
}
