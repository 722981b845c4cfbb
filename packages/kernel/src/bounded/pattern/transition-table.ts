/**
 * The moves of an automaton at a place, for one combination of conditions that hold there.
 *
 * 1. A position is a character node, numbered in the order of reading; sets of them are bits.
 * 2. Most positions lead to the one after them, which is a shift of all bits at once. Other targets
 *    are stored once for all positions that share them, without empty words. So the pattern alone
 *    fixes the highest cost of a move.
 */
import type { Meter } from "../meter.ts";
import type { Automaton, CharacterStep } from "./automaton.ts";
import { type Bits, createBits, createSparseBits, type SparseBits } from "./bits.ts";
import { createReach } from "./create-reach.ts";

export interface TransitionTable {
  /** The positions that a match can begin with. */
  readonly starts: Bits;
  /** The positions that can be read after the one before them. */
  readonly chained: Bits;
  /**
   * Other targets for each word of the active positions; undefined for none. One jump after the
   * other: a mask of positions, the number of words they lead to, and those words.
   */
  readonly jumps: readonly (Int32Array | undefined)[];
  /** The positions after which a match is complete. */
  readonly accepts: SparseBits;
  /** True when an empty match is complete. */
  readonly acceptsAtOnce: boolean;
  /** The words that the dearest move looks at. */
  readonly cost: number;
}

// The cost of a word of positions in a move, even if no jump leaves it.
const WORD_COST = 6;

/** After any of the positions `from`, all of the positions `to` can be read. */
interface Jump {
  readonly from: number[];
  readonly to: readonly number[];
}

export function createTransitionTable(
  automaton: Automaton,
  positions: readonly CharacterStep[],
  options: { readonly conditions: number; readonly meter: Meter },
): TransitionTable {
  const reachOf = createReach(automaton, options);
  const first = reachOf(automaton.start);
  const chained: number[] = [];
  const accepts: number[] = [];
  const jumps = new Map<string, Jump>();
  const addJump = (from: readonly number[], to: readonly number[]): void => {
    const key = to.join();
    const known = jumps.get(key);
    if (known !== undefined) known.from.push(...from);
    else if (to.length > 0) jumps.set(key, { from: [...from], to });
  };

  for (const [node, from] of Map.groupBy(positions.keys(), (at) => positions[at]?.next ?? 0)) {
    const reach = reachOf(node);
    if (reach.accepts) accepts.push(...from);
    // Positions that lead to one node share a jump; chaining is worth it only for a single
    // position.
    const after = from.length === 1 ? (from[0] ?? 0) + 1 : -1;
    if (reach.positions.includes(after)) chained.push(after);
    addJump(
      from,
      reach.positions.filter((position) => position !== after),
    );
  }

  const starts = createBits(positions.length, first.positions);
  const jumpWords = createJumpWords(positions.length, [...jumps.values()]);
  return {
    starts,
    chained: createBits(positions.length, chained),
    jumps: jumpWords,
    accepts: createSparseBits(accepts),
    acceptsAtOnce: first.accepts,
    cost: jumpWords.reduce((total, word) => total + (word?.length ?? 0), WORD_COST * starts.length),
  };
}

function createJumpWords(size: number, jumps: readonly Jump[]): (Int32Array | undefined)[] {
  const words = Array.from(createBits(size, []), (): number[] => []);
  for (const { from, to } of jumps) {
    const targets = createSparseBits(to);
    const sources = createSparseBits(from);
    for (let at = 0; at < sources.length; at += 2) {
      words[sources[at] ?? 0]?.push(sources[at + 1] ?? 0, targets.length / 2, ...targets);
    }
  }
  return words.map((word) => (word.length === 0 ? undefined : Int32Array.from(word)));
}
