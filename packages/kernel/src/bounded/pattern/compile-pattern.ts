/**
 * Patterns come with documents, from anyone. Matching an accepted pattern takes time linear in the
 * text. The host's engine is never used: it backtracks, and can run out of stack on long texts.
 *
 * 1. `test` answers as ECMA-262 says of `new RegExp(source, "u").test`. V8 differs in one case: it
 *    lets an empty match begin between the two halves of a surrogate pair.
 * 2. Whether a pattern is refused depends on its source alone, never on time or on texts.
 */
import { isSpent } from "../meter.ts";
import { createAlphabet } from "./alphabet.ts";
import { createProgram, PATTERN_NODES_MAX } from "./create-program.ts";
import { findTexts } from "./find-texts.ts";
import { isExponential } from "./is-exponential.ts";
import { createMachine } from "./machine.ts";
import { type Matcher, matchText } from "./match-text.ts";
import { parsePattern } from "./parse-pattern.ts";

export type CompiledPattern =
  | {
      readonly kind: "pattern";
      /** The most words for each character, for limits on the whole. */
      readonly cost: number;
      readonly test: (text: string) => boolean;
      /** One of them stands in every text that matches; empty if none is known to. */
      readonly texts: readonly string[];
    }
  | { readonly kind: "refused"; readonly reason: string };

/** The source of a pattern, in UTF-16 units. A longer one is refused before it is read. */
export const PATTERN_LENGTH_MAX = 1_000;

/** Steps of analysing a pattern and building its tables. */
export const PATTERN_STEPS_MAX = 500_000;

/** Words of 32 bits that matching can have to look at for each character of a text. */
export const PATTERN_COST_MAX = 450;

/** Compiled patterns that are kept: the same few come with most documents. */
export const PATTERN_CACHE_MAX = 500;

const cache = new Map<string, CompiledPattern>();

/** Compiles the pattern of a JSON Schema, or says why it is refused. */
export function compilePattern(source: string): CompiledPattern {
  if (source.length > PATTERN_LENGTH_MAX) {
    return refuse(`is longer than ${PATTERN_LENGTH_MAX} characters`);
  }
  const cached = cache.get(source);
  if (cached !== undefined) return cached;
  if (cache.size >= PATTERN_CACHE_MAX) cache.clear();
  const compiled = createPattern(source);
  cache.set(source, compiled);
  return compiled;
}

function createPattern(source: string): CompiledPattern {
  const parsed = parsePattern(source);
  if (parsed.kind === "refused") return parsed;
  const program = createProgram(parsed.pattern);
  if (program === undefined) {
    return refuse(`has more than ${PATTERN_NODES_MAX} nodes when its repetition is written out`);
  }
  const alphabet = createAlphabet(program.sets);
  const meter = { stepsLeft: PATTERN_STEPS_MAX };
  const automata = [program.main, ...program.lookarounds];
  if (automata.some((automaton) => isExponential(automaton, alphabet, meter))) {
    return refuse("can backtrack exponentially");
  }
  const main = createMachine(program.main, alphabet, meter);
  const lookarounds = program.lookarounds.map((automaton) =>
    createMachine(automaton, alphabet, meter),
  );
  if (isSpent(meter)) return refuse("is too complex to be analysed");
  const cost = lookarounds.reduce((total, machine) => total + machine.cost, main.cost);
  if (cost > PATTERN_COST_MAX) return refuse("follows too many possibilities at once");
  const matcher: Matcher = { alphabet, main, lookarounds };
  const texts = findTexts(parsed.pattern);
  return { kind: "pattern", cost, test: (text) => matchText(matcher, text), texts };
}

function refuse(reason: string): CompiledPattern {
  return { kind: "refused", reason };
}
