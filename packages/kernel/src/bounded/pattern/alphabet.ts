/**
 * The alphabet of a pattern: code points that the whole pattern treats alike share one class. So
 * the automaton works on a few classes and not on a million code points.
 */
import type { CodePoints } from "./code-points.ts";

export interface Alphabet {
  /** For each class one flag for each set: 1 when the set holds the code points of the class. */
  readonly classes: readonly Uint8Array[];
  classOf(codePoint: number): number;
  /** True when two sets have a class in common. */
  overlaps(left: number, right: number): boolean;
}

/** Runs of code points of one class, ascending; the first starts at 0. */
interface Partition {
  readonly starts: number[];
  readonly classAt: number[];
  readonly classes: Uint8Array[];
}

const ASCII_COUNT = 128;

/** Divides all code points into classes by the sets that hold them. */
export function createAlphabet(sets: readonly CodePoints[]): Alphabet {
  const { starts, classAt, classes } = createPartition(sets);
  const search = (codePoint: number): number => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((starts[middle] ?? 0) <= codePoint) low = middle;
      else high = middle - 1;
    }
    return classAt[low] ?? 0;
  };
  const ascii = Uint16Array.from({ length: ASCII_COUNT }, (_, codePoint) => search(codePoint));
  return {
    classes,
    classOf: (codePoint) => (codePoint < ASCII_COUNT ? (ascii[codePoint] ?? 0) : search(codePoint)),
    overlaps: createOverlaps(classes, sets.length),
  };
}

function createPartition(sets: readonly CodePoints[]): Partition {
  const partition: Partition = { starts: [], classAt: [], classes: [] };
  const classBySignature = new Map<bigint, number>();
  const held = new Uint8Array(sets.length);
  let signature = 0n;
  for (const [start, changed] of listBorders(sets)) {
    for (const set of changed) {
      held[set] = held[set] === 1 ? 0 : 1;
      signature ^= 1n << BigInt(set);
    }
    const known = classBySignature.get(signature);
    const found = known ?? partition.classes.length;
    if (known === undefined) {
      classBySignature.set(signature, found);
      partition.classes.push(held.slice());
    }
    partition.starts.push(start);
    partition.classAt.push(found);
  }
  return partition;
}

/** Where sets begin or end, ascending, with the sets that do so there. */
function listBorders(sets: readonly CodePoints[]): [start: number, changed: number[]][] {
  const borders = new Map<number, number[]>([[0, []]]);
  const addBorder = (start: number, set: number): void => {
    const changed = borders.get(start);
    if (changed === undefined) borders.set(start, [set]);
    else changed.push(set);
  };
  for (const [set, ranges] of sets.entries()) {
    for (const [from, to] of ranges) {
      addBorder(from, set);
      addBorder(to + 1, set);
    }
  }
  return [...borders].sort((a, b) => a[0] - b[0]);
}

function createOverlaps(classes: readonly Uint8Array[], setCount: number): Alphabet["overlaps"] {
  const common = new Uint8Array(setCount * setCount);
  for (const held of classes) {
    const sets = [...held.keys()].filter((set) => held[set] === 1);
    for (const left of sets) {
      for (const right of sets) common[left * setCount + right] = 1;
    }
  }
  return (left, right) => common[left * setCount + right] === 1;
}

/** The class of every code point of a text; a lone surrogate is a code point of its own. */
export function classifyText(alphabet: Alphabet, text: string): Uint16Array {
  const classes = new Uint16Array(text.length);
  let count = 0;
  for (let offset = 0; offset < text.length; count += 1) {
    const codePoint = text.codePointAt(offset) ?? 0;
    classes[count] = alphabet.classOf(codePoint);
    offset += codePoint > 0xffff ? 2 : 1;
  }
  return count === classes.length ? classes : classes.subarray(0, count);
}
