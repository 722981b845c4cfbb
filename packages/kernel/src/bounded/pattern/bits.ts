/** A set of numbers, 32 in a word. */
export type Bits = Int32Array;

/** Index and value of each word of a set that is not empty. */
export type SparseBits = Int32Array;

/** A set of numbers below `size`. */
export function createBits(size: number, members: Iterable<number>): Bits {
  const bits = new Int32Array(Math.floor(size / 32) + 1);
  for (const member of members) {
    bits[member >>> 5] = (bits[member >>> 5] ?? 0) | (1 << (member & 31));
  }
  return bits;
}

export function createSparseBits(members: Iterable<number>): SparseBits {
  const words = new Map<number, number>();
  for (const member of members) {
    words.set(member >>> 5, (words.get(member >>> 5) ?? 0) | (1 << (member & 31)));
  }
  return Int32Array.from([...words].flat());
}

/** True when the sets have a member in common. */
export function intersects(sparse: SparseBits, bits: Bits): boolean {
  for (let at = 0; at < sparse.length; at += 2) {
    if (((bits[sparse[at] ?? 0] ?? 0) & (sparse[at + 1] ?? 0)) !== 0) return true;
  }
  return false;
}
