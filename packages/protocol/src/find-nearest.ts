/** The most letters that may differ between a word and the intended name. */
const EDITS_MAX = 2;
/** A word shorter than this is another one where two of its letters differ. */
const TWICE_LENGTH_MIN = 4;
/** The longest word, in UTF-16 units, that is compared: a document may hold any name. */
export const NEAREST_LENGTH_MAX = 64;

/** The name that was probably meant: the same without its namespace, or one with a slip in it. */
export function findNearest(word: string, names: readonly string[]): string | undefined {
  if (word.length > NEAREST_LENGTH_MAX) return undefined;
  const whole = names.find((name) => name.endsWith(`.${word}`));
  if (whole !== undefined) return whole;
  const found = names
    .map((name) => ({ name, edits: countEdits(word, name) }))
    .filter(({ edits }) => edits <= (word.length < TWICE_LENGTH_MIN ? 1 : EDITS_MAX))
    .sort((one, other) => one.edits - other.edits);
  return found[0]?.name;
}

/** Letters to add, take away or exchange, as far as it matters. */
function countEdits(one: string, other: string): number {
  const beyond = EDITS_MAX + 1;
  if (Math.abs(one.length - other.length) > EDITS_MAX) return beyond;
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let index = 1; index <= one.length; index++) {
    const next = new Array<number>(other.length + 1).fill(beyond);
    next[0] = index;
    // Farther from the middle there are more edits than matter.
    const last = Math.min(other.length, index + EDITS_MAX);
    for (let column = Math.max(1, index - EDITS_MAX); column <= last; column++)
      next[column] = Math.min(
        (row[column] ?? beyond) + 1,
        (next[column - 1] ?? beyond) + 1,
        (row[column - 1] ?? beyond) + (one[index - 1] === other[column - 1] ? 0 : 1),
      );
    row = next;
  }
  return row.at(-1) ?? beyond;
}
