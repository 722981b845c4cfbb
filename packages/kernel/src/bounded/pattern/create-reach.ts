import { type Meter, spend } from "../meter.ts";
import type { Automaton } from "./automaton.ts";

/** The state after a node: the positions that can be read next, ascending, or a complete match. */
export interface Reach {
  readonly positions: readonly number[];
  readonly accepts: boolean;
}

/** Follows nodes that read nothing, as far as the conditions that hold allow. */
export function createReach(
  { nodes }: Automaton,
  { conditions, meter }: { readonly conditions: number; readonly meter: Meter },
): (start: number) => Reach {
  const positionOf = new Map<number, number>();
  for (let index = nodes.length - 1; index >= 0; index -= 1) {
    if (nodes[index]?.kind === "character") positionOf.set(index, positionOf.size);
  }
  return (start) => {
    const positions: number[] = [];
    let accepts = false;
    const visited = new Set([start]);
    // A set that grows while it is walked is a queue that takes every node once.
    for (const index of visited) {
      const node = nodes[index];
      if (!spend(meter, 1) || node === undefined) break;
      if (node.kind === "accept") accepts = true;
      else if (node.kind === "character") positions.push(positionOf.get(index) ?? 0);
      else if (node.kind !== "condition" || isMet(node, conditions)) {
        visited.add(node.next);
        if (node.kind === "split") visited.add(node.other);
      }
    }
    return { positions: positions.sort((a, b) => a - b), accepts };
  };
}

function isMet(
  node: { readonly bit: number; readonly holds: boolean },
  conditions: number,
): boolean {
  return ((conditions & node.bit) !== 0) === node.holds;
}
