/**
 * Merges two texts with a common ancestor. A change of only one side is taken, and the same change
 * of both is taken once. Any other change of both in one place is a conflict, which is shown and
 * never decided. Changes that touch are in one place: only an unchanged line between them would
 * show that they are independent.
 */
import { diffLines, type LineChange } from "./diff-lines.ts";

/** UTF-16 units of each of the three texts. */
export const MERGE_LENGTH_MAX = 1024 * 1024;

export interface MergeTexts {
  /** The text that both come from. */
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** The lines of one place, as each text has them. */
export interface MergeConflict {
  /** The first line of the conflict in the merged text, with its mark; the first line is 1. */
  readonly line: number;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

export type Merge =
  | { readonly kind: "merged"; readonly text: string }
  /** The text has each conflict between marks, as people know them. */
  | {
      readonly kind: "conflict";
      readonly text: string;
      readonly conflicts: readonly MergeConflict[];
    }
  | { readonly kind: "refused"; readonly reason: "too-different" | "too-long" };

export interface MergeNames {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Merges by lines. `names` stand beside the marks of conflicts. */
export function mergeTexts(texts: MergeTexts, names: MergeNames): Merge {
  const { base, ours, theirs } = texts;
  if (base === ours || ours === theirs) return { kind: "merged", text: theirs };
  if (base === theirs) return { kind: "merged", text: ours };
  if (Math.max(base.length, ours.length, theirs.length) > MERGE_LENGTH_MAX)
    return { kind: "refused", reason: "too-long" };
  const lines = {
    base: splitLines(base),
    ours: splitLines(ours),
    theirs: splitLines(theirs),
  };
  const oursChanges = diffLines(lines.base, lines.ours);
  const theirsChanges = diffLines(lines.base, lines.theirs);
  if (oursChanges === undefined || theirsChanges === undefined)
    return { kind: "refused", reason: "too-different" };
  return mergeLines(lines, listPlaces(oursChanges, theirsChanges), names);
}

/** The lines of a text, each with its end; the last may have none. */
export function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** A changed part of the base, and the same part of the others. */
interface Place {
  readonly base: Span;
  readonly ours: Span;
  readonly theirs: Span;
  readonly changedBy: "both" | "ours" | "theirs";
}
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Changes of both in the order of the base; what touches is one place. */
function listPlaces(
  oursChanges: readonly LineChange[],
  theirsChanges: readonly LineChange[],
): readonly Place[] {
  const places: Place[] = [];
  const ours = createCursor(oursChanges);
  const theirs = createCursor(theirsChanges);
  for (;;) {
    const from = Math.min(ours.nextAt(), theirs.nextAt());
    if (from === Number.POSITIVE_INFINITY) return places;
    const [oursFrom, theirsFrom] = [from + ours.ahead(), from + theirs.ahead()];
    let to = from;
    let [isOurs, isTheirs] = [false, false];
    while (Math.min(ours.nextAt(), theirs.nextAt()) <= to) {
      const isNextOurs = ours.nextAt() <= to;
      to = Math.max(to, (isNextOurs ? ours : theirs).take());
      if (isNextOurs) isOurs = true;
      else isTheirs = true;
    }
    places.push({
      base: { from, to },
      ours: { from: oursFrom, to: to + ours.ahead() },
      theirs: { from: theirsFrom, to: to + theirs.ahead() },
      changedBy: isOurs && isTheirs ? "both" : isOurs ? "ours" : "theirs",
    });
  }
}

/** Goes through the changes of one text, and knows how many lines it is ahead of the base. */
function createCursor(changes: readonly LineChange[]) {
  let at = 0;
  let ahead = 0;
  return {
    ahead: () => ahead,
    /** The line of the base at which the next change is; beyond all where there is none. */
    nextAt: () => changes[at]?.at ?? Number.POSITIVE_INFINITY,
    /** Goes past the next change, to the line of the base at which it ends. */
    take: (): number => {
      const { at: from = 0, removed = 0, added = 0 } = changes[at++] ?? {};
      ahead += added - removed;
      return from + removed;
    },
  };
}

function mergeLines(
  lines: Readonly<Record<keyof MergeTexts, readonly string[]>>,
  places: readonly Place[],
  names: MergeNames,
): Merge {
  const merged: string[] = [];
  const conflicts: MergeConflict[] = [];
  // One by one: a call takes no arguments by the million.
  const take = (taken: readonly string[]) => {
    for (const line of taken) merged.push(line);
  };
  let at = 0;
  for (const { base, ours, theirs, changedBy } of places) {
    take(lines.base.slice(at, base.from));
    at = base.to;
    const oursLines = lines.ours.slice(ours.from, ours.to);
    const theirsLines = lines.theirs.slice(theirs.from, theirs.to);
    const isAgreed = oursLines.join("") === theirsLines.join("");
    if (changedBy === "ours" || isAgreed) take(oursLines);
    else if (changedBy === "theirs") take(theirsLines);
    else {
      const parts = {
        base: lines.base.slice(base.from, base.to).join(""),
        ours: oursLines.join(""),
        theirs: theirsLines.join(""),
      };
      conflicts.push({ line: merged.length + 1, ...parts });
      take(markConflict(parts, names));
    }
  }
  take(lines.base.slice(at));
  const text = merged.join("");
  return conflicts.length === 0 ? { kind: "merged", text } : { kind: "conflict", text, conflicts };
}

function markConflict({ base, ours, theirs }: MergeTexts, names: MergeNames): readonly string[] {
  return [
    ...[`<<<<<<< ${names.ours}\n`, ...splitLines(endLine(ours))],
    ...[`||||||| ${names.base}\n`, ...splitLines(endLine(base))],
    ...["=======\n", ...splitLines(endLine(theirs))],
    `>>>>>>> ${names.theirs}\n`,
  ];
}

/** A mark begins a line, also after a text whose last line has no end. */
function endLine(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
