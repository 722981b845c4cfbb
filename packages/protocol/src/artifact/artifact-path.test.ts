import { expect, test } from "vitest";
import {
  ARTIFACT_DEPTH_MAX,
  ARTIFACT_NAME_BYTES_MAX,
  ARTIFACT_PATH_LENGTH_MAX,
  findPathFault,
  findTwins,
  foldPath,
  isUnder,
  PATH_FAULTS,
  type PathFault,
} from "./artifact-path.ts";

test("a path that leads down from its root is one", () => {
  for (const path of ["a", "a/b.txt", ".hidden", "a b/c", "...", "a/..b", "größe/日本", "%2e%2e/x"])
    expect({ path, fault: findPathFault(path) }).toEqual({ path, fault: undefined });
});

test("whatever else is said by which rule it is none", () => {
  const cases: readonly (readonly [string, PathFault])[] = [
    ["", "empty"],
    ["/etc/passwd", "absolute"],
    ["C:/x", "absolute"],
    ["c:x", "absolute"],
    ["..", "outside"],
    ["a/../b", "outside"],
    ["a/..", "outside"],
    ["a\\..\\b", "backslash"],
    [".", "not-normal"],
    ["./a", "not-normal"],
    ["a//b", "not-normal"],
    ["a/", "not-normal"],
    ["gro\u0308\u00dfe", "not-normal"],
    ["ab:c", "colon"],
    ["d/file.txt:stream", "colon"],
    ["soft\u00adhyphen", "unreadable"],
    ["filler\u3164", "unreadable"],
    ["variant\ufe0f", "unreadable"],
    ["joined\u034f", "unreadable"],
    ["tag\u{e0041}", "unreadable"],
    ["note\ufff9", "unreadable"],
    ["line\u2028", "unreadable"],
    ["none\ufdd0", "unreadable"],
    ["none\uffff", "unreadable"],
    ["none\u{1fffe}", "unreadable"],
    ["a\0b", "unreadable"],
    ["a\nb", "unreadable"],
    ["a\u009bb", "unreadable"],
    ["txt.\u202eexe", "unreadable"],
    ["a\u200bb", "unreadable"],
    ["\ufeffa", "unreadable"],
    ["not utf-8 \ufffd", "unreadable"],
    ["half \ud800", "unreadable"],
  ];
  for (const [path, fault] of cases)
    expect({ path, fault: findPathFault(path) }).toEqual({ path, fault });
  const named = new Set<string>(cases.map(([, fault]) => fault));
  expect(Object.keys(PATH_FAULTS).filter((fault) => !named.has(fault))).toEqual([
    "too-long",
    "too-deep",
  ]);
});

test("the limits of a path, and one past each", () => {
  const name = "n".repeat(ARTIFACT_NAME_BYTES_MAX);
  expect(findPathFault(`a/${name}`)).toBeUndefined();
  expect(findPathFault(`a/${name}n`)).toBe("too-long");
  const wide = "ü".repeat(127);
  expect(findPathFault(`${wide}n/${"日".repeat(85)}`)).toBeUndefined();
  expect(findPathFault(`${wide}ü`)).toBe("too-long");
  expect(findPathFault("日".repeat(86))).toBe("too-long");
  const path = `${`${"n".repeat(127)}/`.repeat(8)}`.slice(0, ARTIFACT_PATH_LENGTH_MAX - 1);
  expect(findPathFault(`${path}n`)).toBeUndefined();
  expect(findPathFault(`${path}nn`)).toBe("too-long");
  const deep = Array.from({ length: ARTIFACT_DEPTH_MAX }, () => "d").join("/");
  expect(findPathFault(deep)).toBeUndefined();
  expect(findPathFault(`${deep}/d`)).toBe("too-deep");
});

test("paths that are one place on some platforms are found together", () => {
  const paths = ["README.md", "a/b", "readme.MD", "a/B", "a/b.", "a/c", "Straße", "STRASSE", "x"];
  expect(findTwins(paths)).toEqual([
    ["README.md", "readme.MD"],
    ["a/b", "a/B", "a/b."],
    ["Straße", "STRASSE"],
  ]);
  expect(findTwins(["a", "a", "b/a", "ab"])).toEqual([]);
});

test("a letter and its other case are one place, whichever letter it is", () => {
  const apart: string[] = [];
  for (let code = 0x21; code <= 0x1ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const letter = String.fromCodePoint(code);
    const others = [letter.toLowerCase(), letter.toUpperCase(), foldPath(letter)];
    if (others.some((other) => foldPath(other) !== foldPath(letter))) apart.push(letter);
  }
  expect(apart).toEqual([]);
});

test("a folder has what is below it, and not what begins alike", () => {
  expect(isUnder("a/b/c", "a")).toBe(true);
  expect(isUnder("a", "")).toBe(true);
  expect(isUnder("ab/c", "a")).toBe(false);
  expect(isUnder("a", "a")).toBe(false);
});
