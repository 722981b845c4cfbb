/**
 * Matches a text in one pass for each lookaround and one for the pattern.
 *
 * 1. A pass never goes back: it holds the set of positions that were read last, over all ways in
 *    which the text so far can be read. Each character costs one move, whose price is limited.
 * 2. The passes of the lookarounds come first. Each notes where its lookaround holds, for those
 *    around it and for the pattern.
 */
import { invariant } from "@turnseal/protocol";
import { type Alphabet, classifyText } from "./alphabet.ts";
import { CONDITION, WORD_SET } from "./automaton.ts";
import { type Bits, intersects } from "./bits.ts";
import type { Machine } from "./machine.ts";
import type { TransitionTable } from "./transition-table.ts";

export interface Matcher {
  readonly alphabet: Alphabet;
  readonly main: Machine;
  /** A lookaround comes after those inside it. */
  readonly lookarounds: readonly Machine[];
}

/** The known facts about a text. A place is the number of characters before it. */
interface Reading {
  readonly classes: Uint16Array;
  /** The conditions that hold at each place; not noted when only the ends of the text matter. */
  readonly conditions: Uint16Array | undefined;
}

/** True when the pattern matches somewhere in the text. */
export function matchText({ alphabet, main, lookarounds }: Matcher, text: string): boolean {
  const classes = classifyText(alphabet, text);
  const asksInside = lookarounds.length > 0 || (main.automaton.conditions & CONDITION.wordEdge) > 0;
  const conditions = asksInside ? createConditions(alphabet, classes) : undefined;
  for (const [index, machine] of lookarounds.entries()) {
    runMachine(machine, { classes, conditions }, CONDITION.lookaround << index);
  }
  return runMachine(main, { classes, conditions }, undefined);
}

function createConditions(alphabet: Alphabet, classes: Uint16Array): Uint16Array {
  const { length } = classes;
  const conditions = new Uint16Array(length + 1);
  let wasWord = 0;
  for (let place = 0; place < length; place += 1) {
    const isWord = alphabet.classes[classes[place] ?? 0]?.[WORD_SET] ?? 0;
    conditions[place] = endConditions(place, length) | (isWord ^ wasWord && CONDITION.wordEdge);
    wasWord = isWord;
  }
  conditions[length] = endConditions(length, length) | (wasWord && CONDITION.wordEdge);
  return conditions;
}

function endConditions(place: number, length: number): number {
  return (place === 0 ? CONDITION.textStart : 0) | (place === length ? CONDITION.textEnd : 0);
}

/** Notes a condition wherever a match is complete; without one, stops at the first. */
function runMachine(machine: Machine, reading: Reading, noted: number | undefined): boolean {
  const { automaton, tables, readers, active, reached, canBeginLater } = machine;
  const { classes, conditions } = reading;
  const { length } = classes;
  const isForward = automaton.direction === "forward";
  active.fill(0);
  for (let count = 0; count <= length; count += 1) {
    const place = isForward ? count : length - count;
    const holding = conditions?.[place] ?? endConditions(place, length);
    const table = tables[holding & automaton.conditions];
    invariant(table !== undefined, "every combination of conditions has a table");
    if (table.acceptsAtOnce || intersects(table.accepts, active)) {
      if (noted === undefined || conditions === undefined) return true;
      conditions[place] = holding | noted;
    }
    if (count === length) break;
    const readersHere = readers[classes[isForward ? place : place - 1] ?? 0];
    invariant(readersHere !== undefined, "every class has its readers");
    jump(table, { active, reached });
    const isAlive = move(table, { active, reached, readersHere });
    if (!isAlive && !canBeginLater) break;
  }
  return false;
}

/** Adds what the active positions lead to, except for the positions after them. */
function jump({ jumps }: TransitionTable, bits: { active: Bits; reached: Bits }): void {
  const { active, reached } = bits;
  for (let index = 0; index < active.length; index += 1) {
    const word = active[index] ?? 0;
    const wordJumps = jumps[index];
    if (word === 0 || wordJumps === undefined) continue;
    let at = 0;
    while (at < wordJumps.length) {
      const isTaken = ((wordJumps[at] ?? 0) & word) !== 0;
      const end = at + 2 + 2 * (wordJumps[at + 1] ?? 0);
      for (at += 2; isTaken && at < end; at += 2) {
        const target = wordJumps[at] ?? 0;
        reached[target] = (reached[target] ?? 0) | (wordJumps[at + 1] ?? 0);
      }
      at = end;
    }
  }
}

/** Reads one character: of all positions that can come next, those stay that can read it. */
function move(
  { starts, chained }: TransitionTable,
  bits: { active: Bits; reached: Bits; readersHere: Bits },
): boolean {
  const { active, reached, readersHere } = bits;
  let carry = 0;
  let union = 0;
  for (let index = 0; index < active.length; index += 1) {
    const word = active[index] ?? 0;
    const next = (((word << 1) | carry) & (chained[index] ?? 0)) | (reached[index] ?? 0);
    const read = (next | (starts[index] ?? 0)) & (readersHere[index] ?? 0);
    active[index] = read;
    reached[index] = 0;
    carry = word >>> 31;
    union |= read;
  }
  return union !== 0;
}
