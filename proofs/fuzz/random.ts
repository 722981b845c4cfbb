/** Numbers that look random and follow from a seed, so that every case can be made again. */
export interface Random {
  /** From 0 up to, and without, 1. */
  next(): number;
  /** A whole number from 0 up to, and without, `below`. */
  below(below: number): number;
  /** One of the items; there must be at least one. */
  pick<Item>(items: readonly Item[]): Item;
}

export function createRandom(seed: string): Random {
  let state = hash(seed);
  // Mulberry32: small, and good enough to choose what to break.
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    pick: <Item>(items: readonly Item[]) => items[below(items.length)] as Item,
  };
}

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value;
}
