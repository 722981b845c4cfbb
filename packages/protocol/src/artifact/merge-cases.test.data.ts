/** Texts and edits of them, made from a seed: the same seed gives the same. */
import type { MergeTexts } from "./merge-texts.ts";

/** Numbers from 0 to below 1, from a seed. */
export function createNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export interface CaseOptions {
  readonly seed: number;
  /** How many different lines there are to choose from; few make many lines equal. */
  readonly words: number;
}

/** Two texts that come from one by a few edits each. */
export function createCase({ seed, words }: CaseOptions): MergeTexts {
  const random = createNumbers(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const line = () => `line ${below(words)}\n`;
  const base = Array.from({ length: 5 + below(30) }, line);
  const edit = (): string => {
    const lines = [...base];
    for (let left = below(5); left > 0; left--) {
      const added = Array.from({ length: below(4) }, line);
      lines.splice(below(lines.length + 1), below(4), ...added);
    }
    const text = lines.join("");
    return below(8) === 0 ? text.trimEnd() : text;
  };
  return { base: base.join(""), ours: edit(), theirs: edit() };
}
