import { expect, test } from "vitest";
import { DIFF_LINES_MAX, diffLines, type LineChange } from "./diff-lines.ts";
import { createCase } from "./merge-cases.test.data.ts";
import { splitLines } from "./merge-texts.ts";

const diff = (before: string, after: string) => diffLines([...before], [...after]);

function applyChanges(
  before: readonly string[],
  after: readonly string[],
  changes: readonly LineChange[],
): string[] {
  const made: string[] = [];
  let at = 0;
  for (const change of changes) {
    made.push(...before.slice(at, change.at));
    // The lines between two changes are equal, so both lists are equally far.
    expect(made.length).toBe(change.to);
    made.push(...after.slice(change.to, change.to + change.added));
    at = change.at + change.removed;
  }
  return [...made, ...before.slice(at)];
}

/** The fewest lines that must be removed and added, by the table of all pairs. */
function measureDistance(before: readonly string[], after: readonly string[]): number {
  let row = Array.from({ length: after.length + 1 }, (_, at) => at);
  for (const [at, line] of before.entries()) {
    const next = [at + 1];
    for (const [to, other] of after.entries())
      next.push(line === other ? (row[to] ?? 0) : 1 + Math.min(row[to + 1] ?? 0, next[to] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

test("changes make the one list the other, and there are no fewer that do", () => {
  for (let seed = 1; seed <= 300; seed++) {
    const texts = createCase({ seed, words: 1 + (seed % 9) });
    const [before, after] = [splitLines(texts.ours), splitLines(texts.theirs)];
    const changes = diffLines(before, after) ?? [];
    expect(applyChanges(before, after, changes)).toEqual(after);
    const size = changes.reduce((sum, { removed, added }) => sum + removed + added, 0);
    expect(size).toBe(measureDistance(before, after));
  }
});

test("equal lists have no change, and an empty one is all of the other", () => {
  expect(diff("abc", "abc")).toEqual([]);
  expect(diff("", "")).toEqual([]);
  expect(diff("", "ab")).toEqual([{ at: 0, removed: 0, to: 0, added: 2 }]);
  expect(diff("ab", "")).toEqual([{ at: 0, removed: 2, to: 0, added: 0 }]);
});

test("what can stand in several places stands low, and beside what it replaces", () => {
  expect(diff("xaay", "xay")).toEqual([{ at: 2, removed: 1, to: 2, added: 0 }]);
  expect(diff("a}b}", "a}c}b}")).toEqual([{ at: 2, removed: 0, to: 2, added: 2 }]);
  expect(diff("daa", "a")).toEqual([{ at: 0, removed: 2, to: 0, added: 0 }]);
});

test("DIFF_LINES_MAX lines are found, and one more is too many", () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `${at}`);
  const half = DIFF_LINES_MAX / 2;
  const other = Array.from({ length: half }, (_, at) => `other ${at}`);
  expect(diffLines(lines(half), other)).toHaveLength(1);
  expect(diffLines(lines(half + 1), other)).toBeUndefined();
});
