import type { Random } from "./random.ts";

/** Something that can happen next. */
export interface Move {
  /** How likely it is, beside the others. */
  readonly weight: number;
  make(): Promise<void> | void;
}

/** One of them, by how likely each is. */
export function pickMove(moves: readonly Move[], random: Random): Move {
  const total = moves.reduce((sum, { weight }) => sum + weight, 0);
  let left = (random.below(2 ** 31) / 2 ** 31) * total;
  const picked = moves.find(({ weight }) => {
    left -= weight;
    return left < 0;
  });
  return picked ?? random.pick(moves);
}
