/**
 * Finds pieces of secrets in a stream of bytes, in linear time.
 *
 * A piece is any run of eight bytes of a secret, or of half of it where it is shorter than sixteen.
 * Longer runs are made of such pieces, so that only these are looked for.
 */
import { PIECE_BYTES_MAX } from "../limits.ts";

/** The pieces of every secret, as they are looked for. */
export interface Pieces {
  /** The pieces by their length. */
  readonly byLength: ReadonlyMap<number, ReadonlySet<string>>;
  /** The length of the shortest. */
  readonly shortest: number;
  /** A bit for the last bytes of each piece: most places of a text are ruled out by one look. */
  readonly filter: Uint8Array;
}

// No secret is shorter than eight bytes, so that no piece is shorter than this.
const TAIL_BYTES = 4;

export function cutPieces(secrets: readonly Uint8Array[]): Pieces {
  const byLength = new Map<number, Set<string>>();
  const filter = new Uint8Array(1 << 16);
  for (const secret of secrets) {
    const length = Math.min(PIECE_BYTES_MAX, Math.ceil(secret.length / 2));
    const pieces = byLength.get(length) ?? new Set();
    byLength.set(length, pieces);
    for (let end = length; end <= secret.length; end++) {
      pieces.add(String.fromCharCode(...secret.subarray(end - length, end)));
      filter[hashTail(readTail(secret.subarray(end - TAIL_BYTES, end)))] = 1;
    }
  }
  return { byLength, shortest: Math.min(...byLength.keys()), filter };
}

function readTail(bytes: Uint8Array): number {
  return bytes.reduce((tail, byte) => ((tail << 8) | byte) >>> 0, 0);
}

function hashTail(tail: number): number {
  return Math.imul(tail, 0x9e3779b1) >>> 16;
}

/** Reads bytes one after the other, each with the place in the text that it was read from. */
export interface PieceFinder {
  read(byte: number, from: number, to: number): void;
  /** Later text does not continue the text before. */
  breakOff(): void;
}

/** Tells `mark` the place of every piece, from its first byte to the end of its last. */
export function findPieces(
  { byLength, filter }: Pieces,
  mark: (from: number, to: number) => void,
): PieceFinder {
  // The latest bytes and where they began, in a ring.
  const bytes = new Uint8Array(PIECE_BYTES_MAX);
  const starts = new Int32Array(PIECE_BYTES_MAX);
  let count = 0;
  let tail = 0;
  const readLast = (length: number): string => {
    let text = "";
    for (let back = length; back > 0; back--)
      text += String.fromCharCode(bytes[(count - back) % PIECE_BYTES_MAX] ?? 0);
    return text;
  };
  return {
    read: (byte, from, to) => {
      bytes[count % PIECE_BYTES_MAX] = byte;
      starts[count % PIECE_BYTES_MAX] = from;
      count += 1;
      tail = ((tail << 8) | byte) >>> 0;
      if (filter[hashTail(tail)] === 0) return;
      for (const [length, pieces] of byLength) {
        if (count < length || !pieces.has(readLast(length))) continue;
        mark(starts[(count - length) % PIECE_BYTES_MAX] ?? from, to);
      }
    },
    breakOff: () => {
      count = 0;
      tail = 0;
    },
  };
}
