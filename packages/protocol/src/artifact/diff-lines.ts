/**
 * Turns one list of lines into another with the fewest changes: the greedy algorithm of Myers
 * (1986), with the answer that people expect among equal ones.
 */

/** Lines `at` to `at + removed` of the one stand as lines `to` to `to + added` of the other. */
export interface LineChange {
  readonly at: number;
  readonly removed: number;
  readonly to: number;
  readonly added: number;
}

/** Lines that are removed and added together: what the search costs grows with its square. */
export const DIFF_LINES_MAX = 2_000;

/** The changes in order, at least one equal line between two; undefined beyond the limit. */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
): readonly LineChange[] | undefined {
  const numbers = new Map<string, number>();
  const numberOf = (line: string): number => {
    const known = numbers.get(line) ?? numbers.size;
    numbers.set(line, known);
    return known;
  };
  const left = createSide(Int32Array.from(before, numberOf));
  const right = createSide(Int32Array.from(after, numberOf));
  if (!markChanges(left, right)) return undefined;
  slideGroups(left, right);
  slideGroups(right, left);
  return listChanges(left.changed, right.changed);
}

/** One of the two lists: its lines as numbers, and which of them have no equal in the other. */
interface Side {
  readonly lines: Int32Array;
  readonly changed: Uint8Array;
}

function createSide(lines: Int32Array): Side {
  return { lines, changed: new Uint8Array(lines.length) };
}

/** Marks lines without an equal; false when there are too many. */
function markChanges(left: Side, right: Side): boolean {
  const [leftEnd, rightEnd] = [left.lines.length, right.lines.length];
  let start = 0;
  while (start < leftEnd && start < rightEnd && left.lines[start] === right.lines[start]) start++;
  let tail = 0;
  while (
    tail < Math.min(leftEnd, rightEnd) - start &&
    left.lines[leftEnd - tail - 1] === right.lines[rightEnd - tail - 1]
  )
    tail++;
  const one = left.lines.subarray(start, leftEnd - tail);
  const other = right.lines.subarray(start, rightEnd - tail);
  const reached = searchWay(one, other);
  if (reached === undefined) return false;
  let [at, to] = [one.length, other.length];
  for (let cost = reached.length; cost > 0; cost--) {
    // The reach with one change less shows the diagonal of the last change.
    const furthest = reached[cost - 1] ?? new Int32Array();
    const isDown = isFromAbove(furthest, { diagonal: at - to, cost });
    const from = at - to + (isDown ? 1 : -1);
    at = furthest[from + cost] ?? 0;
    to = at - from;
    if (isDown) right.changed[start + to] = 1;
    else left.changed[start + at] = 1;
  }
  return true;
}

/**
 * For each number of changes how far every diagonal is reached with it, up to the number that is
 * enough, which is left out; undefined beyond the limit.
 */
function searchWay(one: Int32Array, other: Int32Array): readonly Int32Array[] | undefined {
  const reached: Int32Array[] = [];
  for (let cost = 0; cost <= DIFF_LINES_MAX; cost++) {
    // The diagonals from -cost to cost, and one more on either side for lookups.
    const furthest = new Int32Array(2 * cost + 3).fill(-1);
    const before = reached[cost - 1];
    for (let diagonal = -cost; diagonal <= cost; diagonal += 2) {
      let at = 0;
      if (before !== undefined) {
        const isDown = isFromAbove(before, { diagonal, cost });
        at = (before[diagonal + (isDown ? 1 : -1) + cost] ?? 0) + (isDown ? 0 : 1);
      }
      while (at < one.length && at - diagonal < other.length && one[at] === other[at - diagonal])
        at++;
      furthest[diagonal + cost + 1] = at;
      if (at >= one.length && at - diagonal >= other.length) return reached;
    }
    reached.push(furthest);
  }
  return undefined;
}

/** Whether the way to a diagonal comes from the one above, by a line of the other list. */
function isFromAbove(
  before: Int32Array,
  { diagonal, cost }: { readonly diagonal: number; readonly cost: number },
): boolean {
  if (diagonal === -cost) return true;
  if (diagonal === cost) return false;
  return (before[diagonal - 1 + cost] ?? 0) < (before[diagonal + 1 + cost] ?? 0);
}

/**
 * A group of changed lines between equal ones can often stand higher or lower. Groups that meet on
 * their way become one; It stops beside a group of the other list if there is one, so that a
 * replacement is one change, and otherwise as low as possible.
 */
function slideGroups({ lines, changed }: Side, other: Side): void {
  const gaps = listGaps(other.changed);
  /** Equal lines before the group, and so the gap of the other list that it stands at. */
  let equal = 0;
  for (let at = 0; at < lines.length; at++) {
    if (changed[at] !== 1) {
      equal++;
      continue;
    }
    let [from, to, size, beside] = [at, at, 0, -1];
    while (changed[to] === 1) to++;
    while (size !== to - from) {
      size = to - from;
      for (; from > 0 && lines[from - 1] === lines[to - 1]; equal--) {
        changed[--from] = 1;
        changed[--to] = 0;
        while (changed[from - 1] === 1) from--;
      }
      beside = gaps[equal] === 1 ? to : -1;
      while (to < lines.length && lines[from] === lines[to]) {
        changed[from++] = 0;
        changed[to++] = 1;
        equal++;
        while (changed[to] === 1) to++;
        if (gaps[equal] === 1) beside = to;
      }
    }
    for (; beside !== -1 && to > beside; equal--) {
      changed[--to] = 0;
      changed[--from] = 1;
    }
    at = to - 1;
  }
}

/** For each number of equal lines whether changed ones stand after so many. */
function listGaps(changed: Uint8Array): Uint8Array {
  const gaps = new Uint8Array(changed.length + 1);
  let equal = 0;
  for (const mark of changed) {
    if (mark === 1) gaps[equal] = 1;
    else equal++;
  }
  return gaps;
}

function listChanges(left: Uint8Array, right: Uint8Array): readonly LineChange[] {
  const changes: LineChange[] = [];
  let [at, to] = [0, 0];
  while (at < left.length || to < right.length) {
    const [fromAt, fromTo] = [at, to];
    while (left[at] === 1) at++;
    while (right[to] === 1) to++;
    if (at > fromAt || to > fromTo)
      changes.push({ at: fromAt, removed: at - fromAt, to: fromTo, added: to - fromTo });
    at++;
    to++;
  }
  return changes;
}
