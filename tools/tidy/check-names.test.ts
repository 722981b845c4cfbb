import { expect, test } from "vitest";
import { checkFileNames, checkIdentifiers } from "./check-names.ts";

function fileProblems(...paths: string[]): string[] {
  return checkFileNames(new Map(paths.map((path) => [path, ""])));
}

function nameProblems(text: string): string[] {
  return checkIdentifiers(new Map([["x.ts", text]]));
}

test("kebab-case files, dot files and documents in capitals are fine", () => {
  const paths = [
    "a/run-turn.ts",
    "a/x.test-d.ts",
    ".ci/run",
    "LICENSE",
    "Dockerfile",
    "docs/README.md",
    "a/__fixtures__/b.json",
  ];
  expect(fileProblems(...paths, "docs/decisions/2026-11-15-the-log.md", "01-hello/a.ts")).toEqual(
    [],
  );
});

test.each(["runTurn.ts", "run_turn.ts", "RunTurn.ts", "Folder/a.ts", "a--b.ts"])(
  "%s is not kebab-case",
  (path) => {
    expect(fileProblems(path)).toHaveLength(1);
  },
);

test.each(["utils.ts", "src/helpers/a.ts", "types.ts", "base.test.ts", "common/x.ts"])(
  "%s says nothing",
  (path) => {
    expect(fileProblems(path)).toHaveLength(1);
  },
);

test("a bad folder is reported once", () => {
  expect(fileProblems("a/utils/x.ts", "a/utils/y.ts")).toEqual([
    "a/utils is a name that says nothing",
  ]);
});

test.each([
  "interface ILoop {}",
  "class LoopManager {}",
  "type EventHandler = 1;",
  "class BaseLog {}",
  "interface LogImpl {}",
  "function processTurn() {}",
  "const handleEvent = () => {};",
  "function doIt() {}",
  "const x = { manageAll() {} };",
  "const t = 1;",
  "function run(n: number) { return n; }",
  "const { a: b } = value;",
  "function compare(b: number, a: number) { return a - b; }",
  "function compare(a: number) { return a; }",
  "const run = (n) => {\n  stop();\n  return n;\n};",
])("%s is refused", (text) => {
  expect(nameProblems(text)).not.toEqual([]);
});

test.each([
  "interface Ids {}",
  "interface Identity {}",
  "type Database = 1;",
  "function documentOf() {}",
  "const doubled = () => {};",
  "const process1 = 1;",
  "const sorted = list.sort((a, b) => a - b);",
  "function first<T>(list: T[]) { return list[0]; }",
  "const { at } = value;",
  "function compareVersions(a: Version, b: Version): number {\n  stop();\n  return 1;\n}",
])("%s is allowed", (text) => {
  expect(nameProblems(text)).toEqual([]);
});
