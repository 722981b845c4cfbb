/** Code points, both ends included. */
export type CodePointRange = readonly [from: number, to: number];

/** Ascending ranges that neither overlap nor touch. */
export type CodePoints = readonly CodePointRange[];

const CODE_POINT_LAST = 0x10ffff;

/** The union of ranges in any order. */
export function uniteRanges(ranges: readonly CodePointRange[]): CodePoints {
  const united: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = united.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else united.push([from, to]);
  }
  return united;
}

/** Every code point that is not in the set. */
export function invertCodePoints(set: CodePoints): CodePoints {
  const inverted: CodePointRange[] = [];
  let from = 0;
  for (const [start, end] of set) {
    if (start > from) inverted.push([from, start - 1]);
    from = end + 1;
  }
  if (from <= CODE_POINT_LAST) inverted.push([from, CODE_POINT_LAST]);
  return inverted;
}
