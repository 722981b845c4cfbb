import { type Meter, spend } from "../meter.ts";
import type { Alphabet } from "./alphabet.ts";
import { type Automaton, CONDITION } from "./automaton.ts";
import { type Bits, createBits } from "./bits.ts";
import { createTransitionTable, type TransitionTable } from "./transition-table.ts";

// The price of a table by itself: every condition doubles the number of tables, and they are kept.
const TABLE_STEPS = 200;

/** An automaton made ready for matching. */
export interface Machine {
  readonly automaton: Automaton;
  /** By the conditions of the automaton that hold at a place. */
  readonly tables: readonly (TransitionTable | undefined)[];
  /** For each class of characters the positions that read it. */
  readonly readers: readonly Bits[];
  /** Room for the positions of a run, which never overlaps another one. */
  readonly active: Bits;
  readonly reached: Bits;
  /** False when a match can begin only where reading begins. */
  readonly canBeginLater: boolean;
  /** The words that the dearest move looks at. */
  readonly cost: number;
}

export function createMachine(automaton: Automaton, alphabet: Alphabet, meter: Meter): Machine {
  // Nodes are made from the one read last to the one read first.
  const positions = automaton.nodes.filter((node) => node.kind === "character").toReversed();
  const nearEdge = automaton.direction === "forward" ? CONDITION.textStart : CONDITION.textEnd;
  const tables: (TransitionTable | undefined)[] = [];
  let canBeginLater = false;
  let cost = 0;
  for (const conditions of listCombinations(automaton.conditions)) {
    if (!spend(meter, TABLE_STEPS + positions.length)) break;
    const table = createTransitionTable(automaton, positions, { conditions, meter });
    tables[conditions] = table;
    cost = Math.max(cost, table.cost);
    const canBegin = table.acceptsAtOnce || table.starts.some((word) => word !== 0);
    if ((conditions & nearEdge) === 0 && canBegin) canBeginLater = true;
  }
  spend(meter, alphabet.classes.length * createBits(positions.length, []).length);
  const readers = alphabet.classes.map((held) => {
    const reading = [...positions.keys()].filter((at) => held[positions[at]?.set ?? 0] === 1);
    return createBits(positions.length, reading);
  });
  const active = createBits(positions.length, []);
  const reached = createBits(positions.length, []);
  return { automaton, tables, readers, active, reached, canBeginLater, cost };
}

/** Every choice of the bits of a mask. */
function listCombinations(mask: number): number[] {
  const combinations = [0];
  for (let bits = -mask & mask; bits !== 0; bits = (bits - mask) & mask) combinations.push(bits);
  return combinations;
}
