/**
 * The code points of a Unicode property, from the host's engine, so that matching agrees with its
 * version of Unicode.
 *
 * 1. The first four planes and the first block of plane 14 hold all characters. They are searched
 *    code point by code point.
 * 2. The other planes are unassigned or for private use. All code points of such a plane are alike,
 *    except for the last two, which are noncharacters. Searching it too would take three times as
 *    long.
 */
import { type CodePointRange, type CodePoints, uniteRanges } from "./code-points.ts";

/** Consecutive code points as text. */
interface Block {
  readonly start: number;
  readonly text: string;
}

const BLOCK_SIZE = 0x1000;
const PLANE_SIZE = 0x10000;
const SURROGATES: CodePointRange = [0xd800, 0xdfff];
const searched: readonly CodePointRange[] = [
  [0, SURROGATES[0] - 1],
  [SURROGATES[1] + 1, 4 * PLANE_SIZE - 1],
  [14 * PLANE_SIZE, 14 * PLANE_SIZE + BLOCK_SIZE - 1],
];

// The names of properties are a closed list, so this holds at most one entry for each of them.
const known = new Map<string, CodePoints>();

let searchedBlocks: readonly Block[] | undefined;

/** The code points of a property named as in `\p{...}`, for example `{Script=Greek}`. */
export function findProperty(name: string): CodePoints {
  const cached = known.get(name);
  if (cached !== undefined) return cached;
  searchedBlocks ??= searched.flatMap(createBlocks);
  const member = new RegExp(`\\p${name}`, "u");
  const uniform = listUniformRanges().filter(([from]) => member.test(String.fromCodePoint(from)));
  const points = uniteRanges([...searchBlocks(name, searchedBlocks), ...uniform]);
  known.set(name, points);
  return points;
}

function createBlocks([from, to]: CodePointRange): Block[] {
  const blocks: Block[] = [];
  for (let start = from; start <= to; start += BLOCK_SIZE - (start % BLOCK_SIZE)) {
    const length = Math.min(BLOCK_SIZE - (start % BLOCK_SIZE), to + 1 - start);
    const codePoints = Array.from({ length }, (_, index) => start + index);
    blocks.push({ start, text: String.fromCodePoint(...codePoints) });
  }
  return blocks;
}

function searchBlocks(name: string, blocks: readonly Block[]): CodePointRange[] {
  const run = new RegExp(`\\p${name}+`, "gu");
  return blocks.flatMap(({ start, text }) => {
    const unitsPerCodePoint = start < PLANE_SIZE ? 1 : 2;
    return Array.from(text.matchAll(run), ({ 0: found, index }): CodePointRange => {
      const from = start + index / unitsPerCodePoint;
      return [from, from + found.length / unitsPerCodePoint - 1];
    });
  });
}

function listUniformRanges(): CodePointRange[] {
  const ranges: CodePointRange[] = [SURROGATES];
  for (let plane = 4; plane <= 16; plane += 1) {
    const start = plane * PLANE_SIZE;
    ranges.push([plane === 14 ? start + BLOCK_SIZE : start, start + 0xfffd]);
    ranges.push([start + 0xfffe, start + 0xffff]);
  }
  return ranges;
}
