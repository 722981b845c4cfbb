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
  const tests = alternatives.map((text) => createTest(text.replace(/^\.?\/+/, "").split("/")));
  return { kind: "pattern", matches: (path) => tests.some((test) => test(path)) };
}

type Test = (text: string) => boolean;

function createTest(segments: readonly string[]): Test {
  const [first = ""] = segments;
  if (segments.length > 1 || first === "**") {
    const tests = segments.map((text) => (text === "**" ? DEEP_RUN : createNameTest(text)));
    return (path) => matchRuns(tests, path.split("/"), isDeepRun, (test, name) => test(name));
  }
  const test = createNameTest(first);
  return (path) => test(path.slice(path.lastIndexOf("/") + 1));
}

function createNameTest(segment: string): Test {
  const [before = "", after, more] = segment.split("*");
  if (after === undefined && !segment.includes("?")) return (name) => name === segment;
  if (after !== undefined && more === undefined && !segment.includes("?")) {
    const { length } = before + after;
    return (name) => name.length >= length && name.startsWith(before) && name.endsWith(after);
  }
  const characters = [...segment];
  return (name) =>
    matchRuns(characters, [...name], isStar, (one, other) => one === "?" || one === other);
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

/** Stands for any number of names. */
const DEEP_RUN: Test = () => false;
const isDeepRun = (test: Test): boolean => test === DEEP_RUN;
const isStar = (character: string): boolean => character === "*";

/** Matches parts against a pattern in which a run stands for any number of them. */
function matchRuns<Part>(
  pattern: readonly Part[],
  parts: readonly string[],
  isRun: (part: Part) => boolean,
  fits: (one: Part, part: string) => boolean,
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
