/**
 * Patterns of paths: what they are, what they match, and whether one holds all that another does
 * (spec/grant.md §4).
 *
 * 1. A path is one or more segments joined by `/`; none is empty, `.` or `..`.
 * 2. In a pattern, a segment `**` is any number of segments, also none; `*` within a segment is any
 *    run of characters of it, also none. Every other character matches itself.
 * 3. Containment is decided exactly, by following both patterns over every text at once. A pair
 *    that takes more than GLOB_STEPS_MAX steps is left undecided, and so is not contained.
 */
import { isTextWithin } from "../tool-reference.ts";

/** Code points of a path or of a pattern. */
export const GLOB_LENGTH_MAX = 256;
/** Steps that one comparison of two patterns may take. */
export const GLOB_STEPS_MAX = 65_536;

// Characters with a meaning in other grammars are refused, since they have none here.
const foreign = /[?[\]{}!]/;
const unusable = /[\\\p{Cc}]/u;

/** True for a path that can be held against a pattern. */
export function isPath(value: unknown): value is string {
  if (!isTextWithin(value, GLOB_LENGTH_MAX) || unusable.test(value)) return false;
  return value.split("/").every((segment) => !["", ".", ".."].includes(segment));
}

/** True for a pattern of paths. */
export function isGlob(value: unknown): value is string {
  if (!isPath(value) || foreign.test(value)) return false;
  return value.split("/").every((segment) => segment === "**" || !segment.includes("**"));
}

/** True when the pattern matches the path. A text that is not a path matches no pattern. */
export function matchesGlob(pattern: string, path: string): boolean {
  if (!isPath(path)) return false;
  const isSegment = (segment: string, text: string) =>
    segment === text || matchesRuns([...segment], [...text], { run: "*", fits: isSame });
  return matchesRuns(pattern.split("/"), path.split("/"), { run: "**", fits: isSegment });
}

const isSame = (one: string, other: string): boolean => one === other;

/** Matches parts against a pattern in which a `run` stands for any number of them. */
function matchesRuns(
  pattern: readonly string[],
  parts: readonly string[],
  { run, fits }: { readonly run: string; readonly fits: (one: string, part: string) => boolean },
): boolean {
  // Only the latest run matters: it can take anything that an earlier one could.
  let [place, latest, taken] = [0, -1, 0];
  for (let index = 0; index < parts.length; ) {
    const next = pattern[place];
    if (next === run) {
      [latest, taken] = [place, index];
      place += 1;
    } else if (next !== undefined && fits(next, parts[index] ?? "")) {
      place += 1;
      index += 1;
    } else if (latest >= 0) {
      taken += 1;
      [place, index] = [latest + 1, taken];
    } else return false;
  }
  return pattern.slice(place).every((rest) => rest === run);
}

/** Steps that are left for several comparisons together. */
export interface Effort {
  steps: number;
}

/** Where a text may have led: one place in the inner pattern, and all of them in the outer. */
interface Pair {
  readonly place: number;
  readonly reached: readonly number[];
  /** Inside a segment, where a slash may follow. */
  readonly isOpen: boolean;
}

/** True when every path that `inner` matches is matched by `outer`. */
export function containsGlob(
  outer: string,
  inner: string,
  effort: Effort = { steps: GLOB_STEPS_MAX },
): boolean {
  if (outer === inner || outer === "**") return true;
  const [wide, narrow] = [compile(outer), compile(inner)];
  const alphabet = listCharacters(wide);
  const reached = settle(wide, [0]);
  const pairs = settle(narrow, [0]).map((place): Pair => ({ place, reached, isOpen: false }));
  const seen = new Set(pairs.map(nameOf));
  let left = GLOB_STEPS_MAX;
  for (const pair of pairs) {
    for (const character of readable(narrow, pair, alphabet)) {
      const cost = 1 + pair.reached.length;
      left -= cost;
      effort.steps -= cost;
      if (left < 0 || effort.steps < 0) return false;
      const next = advance(wide, pair.reached, character);
      for (const place of advance(narrow, [pair.place], character)) {
        if (place === narrow.length && !next.includes(wide.length)) return false;
        const following = { place, reached: next, isOpen: character !== "/" };
        const name = nameOf(following);
        if (seen.has(name)) continue;
        seen.add(name);
        pairs.push(following);
      }
    }
  }
  return true;
}

function nameOf({ place, reached, isOpen }: Pair): string {
  return `${place}${isOpen ? "+" : "-"}${reached.join()}`;
}

/** The characters that the inner pattern can go on with. */
function readable(narrow: Glob, { place, isOpen }: Pair, alphabet: readonly string[]): string[] {
  const step = narrow[place];
  const all = step?.kind === "one" ? [step.character] : alphabet;
  return all.filter((character) => isOpen || character !== "/");
}

/**
 * A pattern as a list of steps; the state is the number of steps taken. A text is a path with a
 * slash after every segment.
 */
type Glob = readonly Step[];
interface Step {
  /**
   * `one` character; a `run` of any but a slash; whole `segments` in any number, left only at their
   * ends; or `inside` one of those.
   */
  readonly kind: "one" | "run" | "segments" | "inside";
  readonly character: string;
  /** The segment of the pattern that it stands in. */
  readonly segment: number;
}

function compile(pattern: string): Glob {
  return pattern.split("/").flatMap((text, segment): Step[] => {
    const whole = { character: "", segment };
    if (text === "**") {
      return [
        { ...whole, kind: "segments" },
        { ...whole, kind: "inside" },
      ];
    }
    return [...text, "/"].map((character) => ({
      kind: character === "*" ? "run" : "one",
      character,
      segment,
    }));
  });
}

/** All states that are reached without reading on, each once, in order. */
function settle(glob: Glob, states: readonly number[]): number[] {
  const settled = new Set<number>();
  for (const first of states) {
    for (let state = first; !settled.has(state); ) {
      settled.add(state);
      const kind = glob[state]?.kind;
      if (kind === "run") state += 1;
      else if (kind === "segments") state += 2;
    }
  }
  return prune(
    glob,
    [...settled].sort((a, b) => a - b),
  );
}

/** The states after one more character. */
function advance(glob: Glob, states: readonly number[], character: string): number[] {
  const isSlash = character === "/";
  const next = states.flatMap((state): number[] => {
    const step = glob[state];
    switch (step?.kind) {
      case "one":
        return step.character === character ? [state + 1] : [];
      case "run":
        return isSlash ? [] : [state];
      case "segments":
        return isSlash ? [] : [state + 1];
      case "inside":
        return [isSlash ? state - 1 : state];
      default:
        return [];
    }
  });
  return settle(glob, next);
}

/**
 * Drops states that match nothing more than a later one does. A later state in `**`, or in the `*`
 * of the same segment, reaches every match of an earlier state. The rest of that match passes
 * through it, and anything may stand there.
 */
function prune(glob: Glob, states: readonly number[]): number[] {
  const kept: number[] = [];
  let starred = -1;
  for (const state of states.toReversed()) {
    const step = glob[state];
    if (step !== undefined && step.segment === starred) continue;
    kept.unshift(state);
    if (step?.kind === "segments" || step?.kind === "inside") break;
    if (step?.kind === "run") starred = step.segment;
  }
  return kept;
}

/** The characters that a pattern distinguishes, a slash, and one for all others. */
function listCharacters(glob: Glob): string[] {
  const named = glob.flatMap(({ kind, character }) => (kind === "one" ? [character] : []));
  // A control character can stand in no pattern and in no path.
  return [...new Set([...named, "/", "\u0000"])];
}
