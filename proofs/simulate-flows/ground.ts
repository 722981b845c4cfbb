/** The material of a drawn flow, and the room of each part. */
import type { FlowNode } from "@turnseal/protocol";
import type { Random } from "../simulate/random.ts";
import type { Known } from "./known.ts";

export interface FlowOptions {
  readonly random: Random;
  /** Nodes, more or less. */
  readonly size: number;
  /** The loops that are called, by how likely each is. */
  readonly called: readonly (readonly [loopId: string, weight: number])[];
  /** True where it may wait for people and signals. */
  readonly mayWait: boolean;
  /** True where times are short. */
  readonly isHasty: boolean;
  /** True where some calls are denied what they would do, which ends everything around them. */
  readonly mayDeny: boolean;
  /** ISO 8601: when the run begins, more or less. */
  readonly startsMs: number;
}

export interface Growing extends FlowOptions {
  nodes: number;
  calls: number;
}

/** How often something may be executed at most, where things repeat inside each other. */
export const FOLD_MAX = 14;
export const DEPTH_MAX = 13;

export interface Ground {
  readonly known: readonly Known[];
  readonly depth: number;
  /** Nodes that may stand here. */
  readonly size: number;
  /** How often what stands here may be executed. */
  readonly fold: number;
}

export interface Grown {
  readonly node: FlowNode;
  /** What its name stands for afterwards. */
  readonly known: Known;
}

export function pickWeighted<Item>(
  random: Random,
  items: readonly (readonly [Item, number, ...unknown[]])[],
): Item {
  let left = (random.below(2 ** 31) / 2 ** 31) * items.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [item, weight] of items) {
    left -= weight;
    if (left < 0) return item;
  }
  return random.pick(items)[0];
}

export function inside(ground: Ground, change: Partial<Ground> = {}): Ground {
  return { ...ground, depth: ground.depth + 1, ...change };
}

/** The nodes of a ground, shared among so many. */
export function share(random: Random, size: number, most: number): number[] {
  const count = Math.max(1, Math.min(most, size));
  const parts = Array.from({ length: count }, () => 1);
  for (let left = size - count; left > 0; ) {
    const some = Math.min(left, random.between(1, Math.max(1, left >> 1)));
    const index = random.below(count);
    parts[index] = (parts[index] ?? 0) + some;
    left -= some;
  }
  return parts;
}

export function result(name: string, holds: Known["holds"] = "result"): Known {
  return { name, holds, isSure: true, mayFail: false };
}
