/** Breaks texts, and values on their way to a text. */
import { type MutationName, mutations } from "./mutations.ts";
import type { Random } from "./random.ts";

export const mutationNames = Object.keys(mutations) as MutationName[];

/** The ways that survive being written as JSON, for what arrives as text or as bytes. */
const writtenNames = mutationNames.filter(
  (name) => name !== "object made cyclic" && name !== "object that fights back",
);

interface Broken<Value> {
  readonly broken: Value;
  readonly mutation: MutationName;
}

/** Breaks a copy of a value, sometimes more than once, and answers with it and how. */
export function breakValue<Value>(
  value: Value,
  random: Random,
  names: readonly MutationName[] = mutationNames,
): Broken<Value> {
  // It is held by something, so that it can be replaced as a whole.
  const held = { value: structuredClone(value) };
  const mutation = random.pick(names);
  mutations[mutation](held, random);
  while (random.next() < 0.25) mutations[random.pick(names)](held, random);
  return { broken: held.value, mutation };
}

/** Breaks a value as somebody could who sends it: what comes out is what JSON.parse gives. */
export function breakWritten(value: unknown, random: Random): Broken<unknown> {
  const { broken, mutation } = breakValue(value, random, writtenNames);
  return { broken: JSON.parse(toJson(broken) ?? JSON.stringify(value)), mutation };
}

/** Breaks the text of a value: the value, the characters, both, or neither. */
export function breakJson(value: unknown, random: Random): string {
  const chosen = random.next();
  const isWhole = chosen < 0.3;
  const text = JSON.stringify(isWhole ? value : breakWritten(value, random).broken);
  return chosen < 0.1 || chosen > 0.5 ? text : breakCharacters(text, oddJson, random);
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

const oddJson = [
  ...["{", "}", "[", "]", '"', ",", ":", "\\", "\\u", "\\ud800", "\u0000", "\ufeff", "//", "/*"],
  ...["1e999", "-", "0x1", "NaN", "undefined", "99999999999999999999", "1".repeat(400), "💡"],
  ...['"__proto__":{"polluted":1},', '"constructor":{"prototype":{"polluted":1}},', '"a":1,"a":2,'],
  ...["[".repeat(200), '{"a":'.repeat(200), "[".repeat(20_000), "\n".repeat(50), "\u2028"],
];

export function breakCharacters(text: string, odd: readonly string[], random: Random): string {
  let broken = text;
  for (let count = random.below(4); count > 0; count--) {
    const at = random.below(broken.length + 1);
    const removed = random.below(3);
    broken = broken.slice(0, at) + random.pick(odd) + broken.slice(at + removed);
  }
  return broken;
}
