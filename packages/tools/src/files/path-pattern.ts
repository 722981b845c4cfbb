/**
 * Patterns of paths as models write them: `*`, `?`, `**` and braces.
 *
 * Node's own matcher expands braces and backtracks without a bound, so a pattern of a model could
 * stop the process. Here a pattern stands for at most `ALTERNATIVES_MAX` others, and each is
 * matched without backtracking.
 */
import { ALTERNATIVES_MAX, PATTERN_LENGTH_MAX } from "./limits.ts";

export type PathPattern =
  | { readonly kind: "pattern"; readonly matches: (path: string) => boolean }
  | { readonly kind: "refused"; readonly reason: string };

/** Parses a pattern. One without a slash is for names at any depth. */
export function parsePathPattern(source: string): PathPattern {
  if (source.length > PATTERN_LENGTH_MAX)
    return { kind: "refused", reason: `a pattern has at most ${PATTERN_LENGTH_MAX} characters` };
  if (/[[\]!\\]/.test(source))
    return { kind: "refused", reason: "a pattern is made of names, `*`, `?`, `**` and `{a,b}`" };
  const alternatives = expandBraces(source);
  if (typeof alternatives === "string") return { kind: "refused", reason: alternatives };
  const patterns = alternatives.map((text) => {
    const segments = text.replace(/^\.?\/+/, "").split("/");
    return segments.length === 1 ? ["**", ...segments] : segments;
  });
  return {
    kind: "pattern",
    matches: (path) => {
      const names = path.split("/");
      return patterns.some((pattern) => matchRuns(pattern, names, isDeepRun, matchName));
    },
  };
}

/** The patterns without braces that a pattern stands for, or why it is refused. */
function expandBraces(source: string): readonly string[] | string {
  const done: string[] = [];
  const waiting = [source];
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    // The innermost pair first: it holds no other.
    const found = /\{([^{}]*)\}/.exec(text);
    if (found === null) {
      if (/[{}]/.test(text)) return "a pattern closes each of its braces";
      done.push(text);
    } else {
      const [whole, inside = ""] = found;
      const before = text.slice(0, found.index);
      const after = text.slice(found.index + whole.length);
      for (const part of inside.split(",")) waiting.push(before + part + after);
    }
    if (done.length + waiting.length > ALTERNATIVES_MAX)
      return `a pattern stands for at most ${ALTERNATIVES_MAX} others`;
  }
  return done;
}

const isDeepRun = (segment: string): boolean => segment === "**";
const isStar = (character: string): boolean => character === "*";

function matchName(segment: string, name: string): boolean {
  if (segment === name) return true;
  return matchRuns([...segment], [...name], isStar, (one, other) => one === "?" || one === other);
}

/** Matches parts against a pattern in which a run stands for any number of them. */
function matchRuns(
  pattern: readonly string[],
  parts: readonly string[],
  isRun: (part: string) => boolean,
  fits: (one: string, part: string) => boolean,
): boolean {
  // Only the latest run matters: it can take anything that an earlier one could.
  let [place, latest, taken] = [0, -1, 0];
  for (let index = 0; index < parts.length; ) {
    const next = pattern[place];
    if (next !== undefined && isRun(next)) {
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
  return pattern.slice(place).every(isRun);
}
