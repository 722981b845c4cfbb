/** Letters by which a word may differ from the one that was meant. */
const EDITS_MAX = 2;

/** The name that was probably meant: the same without its namespace, or one with a slip in it. */
export function findNearest(word: string, names: readonly string[]): string | undefined {
  const whole = names.find((name) => name.endsWith(`.${word}`));
  if (whole !== undefined) return whole;
  const found = names
    .map((name) => ({ name, edits: countEdits(word, name) }))
    .filter(({ edits }) => edits <= EDITS_MAX)
    .sort((one, other) => one.edits - other.edits);
  return found[0]?.name;
}

/** Letters to add, take away or exchange, as far as it matters. */
function countEdits(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > EDITS_MAX) return EDITS_MAX + 1;
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, against] of [...other].entries())
      next.push(
        Math.min(
          (row[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
          (row[column] ?? 0) + (letter === against ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
