import { array, assert, constantFrom, property } from "fast-check";
import { describe, expect, test } from "vitest";
import {
  containsGlob,
  GLOB_LENGTH_MAX,
  GLOB_STEPS_MAX,
  isGlob,
  isPath,
  matchesGlob,
} from "./glob.ts";

test.each(["src", "src/*.ts", "**", "a/**/b", "*a*", ".github/*", "größe", "a b", "@x/y"])(
  "%j is a pattern",
  (pattern) => {
    expect(isGlob(pattern)).toBe(true);
  },
);

test.each([
  "",
  "/src",
  "src/",
  "a//b",
  "./a",
  "a/..",
  "a**",
  "**a/b",
  "a/***",
  "a?",
  "[ab]",
  "{a,b}",
  "!a",
  "a\\b",
  "a\nb",
  "\ud800",
  7,
  null,
])("%j is none", (pattern) => {
  expect(isGlob(pattern)).toBe(false);
});

test("a pattern and a path may have GLOB_LENGTH_MAX characters, one more is refused", () => {
  for (const letter of ["a", "💡"]) {
    const longest = letter.repeat(GLOB_LENGTH_MAX);
    expect([isGlob(longest), isPath(longest)]).toEqual([true, true]);
    expect([isGlob(longest + letter), isPath(longest + letter)]).toEqual([false, false]);
  }
});

describe("containment", () => {
  // Every path of up to four segments over names of each kind that the patterns tell apart.
  const names = ["a", "b", "z", "ab", "aa", "az", "za", "azb"];
  const deeper = (above: readonly string[]) =>
    above.flatMap((path) => names.map((name) => `${path}/${name}`));
  const two = deeper(names);
  const three = deeper(two);
  const paths = [...names, ...two, ...three, ...deeper(three)];
  const segment = constantFrom("a", "b", "*", "**", "a*", "*a", "a*b", "ab");
  const pattern = array(segment, { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));

  test("is what comparing all matches gives", () => {
    assert(
      property(pattern, pattern, (inner, outer) => {
        const isContained = paths.every(
          (path) => !matchesGlob(inner, path) || matchesGlob(outer, path),
        );
        expect(containsGlob(outer, inner)).toBe(isContained);
      }),
      { numRuns: 400 },
    );
  });

  test("is transitive, and every pattern contains itself", () => {
    assert(
      property(pattern, pattern, pattern, (one, two, three) => {
        expect(containsGlob(one, one)).toBe(true);
        if (containsGlob(one, two) && containsGlob(two, three))
          expect(containsGlob(one, three)).toBe(true);
      }),
    );
  });

  test("that takes more than GLOB_STEPS_MAX steps is refused, in little time", () => {
    expect(GLOB_STEPS_MAX).toBe(65_536);
    // The last `a` may be any of many: the outer pattern has to remember where each of them stood.
    const deep = (levels: number) => `**/a${"/*".repeat(levels)}`;
    expect(containsGlob(deep(4), `x/${deep(4)}`)).toBe(true);
    const before = performance.now();
    expect(containsGlob(deep(30), `x/${deep(30)}`)).toBe(false);
    expect(performance.now() - before).toBeLessThan(2_000);
  });

  test("of long patterns with many stars is decided", () => {
    const stars = "*ab".repeat(24);
    expect(containsGlob(`${stars}*`, `x${stars}*`)).toBe(true);
    expect(containsGlob(`x${stars}*`, `${stars}*`)).toBe(false);
  });
});
