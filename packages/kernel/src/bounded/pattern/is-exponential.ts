/**
 * Decides whether an engine that backtracks could need exponential time for an automaton.
 *
 * 1. That is so when a place in an endless repetition can be left and reached again over two
 *    different paths for the same text: each further copy of the text doubles the paths.
 * 2. Conditions are taken as met, so a pattern that only its lookarounds make unambiguous is
 *    called exponential.
 * 3. Matching does not rest on the answer, since the matcher never backtracks. A definition
 *    travels to other runtimes, and those may.
 */
import { isSpent, type Meter, spend } from "../meter.ts";
import type { Alphabet } from "./alphabet.ts";
import type { Automaton } from "./automaton.ts";

/** A way from one place to the next: a character, read after nodes that read none. */
interface Edge {
  readonly set: number;
  readonly target: number;
  /** Two or more ways that differ only in the nodes before the character. */
  readonly isDouble: boolean;
}

/** Two places that the same text can lead to. */
type Pair = readonly [number, number];

/** True when the number of ways to read a text can double again and again. */
export function isExponential(automaton: Automaton, alphabet: Alphabet, meter: Meter): boolean {
  const edges = listLoopEdges(automaton, meter);
  const pending: Pair[] = [];
  const seen = new Set<number>();
  // True when two ways over the same text are at one place again.
  const meet = (left: Edge, right: Edge): boolean => {
    spend(meter, 1);
    if (!alphabet.overlaps(left.set, right.set)) return false;
    if (left.target === right.target) return true;
    const low = Math.min(left.target, right.target);
    const high = Math.max(left.target, right.target);
    const key = low * automaton.nodes.length + high;
    if (!seen.has(key)) pending.push([low, high]);
    seen.add(key);
    return false;
  };

  for (const leaving of edges.values()) {
    if (leaving.some(({ isDouble }) => isDouble)) return true;
    for (const [index, left] of leaving.entries()) {
      if (isSpent(meter)) return false;
      if (leaving.slice(index + 1).some((right) => meet(left, right))) return true;
    }
  }
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    if (isSpent(meter)) return false;
    const rights = edges.get(pair[1]) ?? [];
    const lefts = edges.get(pair[0]) ?? [];
    if (lefts.some((left) => rights.some((right) => meet(left, right)))) return true;
  }
  return false;
}

/** The edges that stay in an endless repetition, by the place that they leave. */
function listLoopEdges(automaton: Automaton, meter: Meter): Map<number, Edge[]> {
  const loopOf = new Map<number, number>();
  for (const node of automaton.nodes) {
    if (node.kind === "character") loopOf.set(node.next, node.loop || (loopOf.get(node.next) ?? 0));
  }
  loopOf.set(automaton.start, loopOf.get(automaton.start) ?? 0);
  const edges = new Map<number, Edge[]>();
  for (const [place, loop] of loopOf) {
    const inLoop: Edge[] = [];
    for (const [index, count] of countWays(automaton, place, meter)) {
      const node = automaton.nodes[index];
      if (node?.kind !== "character" || node.loop !== loop || loop === 0) continue;
      inLoop.push({ set: node.set, target: node.next, isDouble: count > 1 });
    }
    edges.set(place, inLoop);
  }
  return edges;
}

/** Counts the ways from a place to each character that can be read there. */
function countWays(automaton: Automaton, place: number, meter: Meter): Map<number, number> {
  const counts = new Map<number, number>();
  const openPasses = new Set<number>();
  const walk = (index: number): void => {
    spend(meter, 1);
    const node = automaton.nodes[index];
    if (node === undefined || isSpent(meter)) return;
    if (node.kind === "character") counts.set(index, (counts.get(index) ?? 0) + 1);
    if (node.kind === "accept" || node.kind === "character") return;
    // A pass that began on this way has read nothing, and an engine gives it up.
    if (node.kind === "end" && openPasses.has(node.pass)) return;
    if (node.kind === "begin") openPasses.add(node.pass);
    walk(node.next);
    if (node.kind === "begin") openPasses.delete(node.pass);
    if (node.kind === "split") walk(node.other);
  };
  walk(place);
  return counts;
}
