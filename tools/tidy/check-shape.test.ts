import { expect, test } from "vitest";
import {
  checkIndexFiles,
  checkInheritance,
  checkOpenEnds,
  checkTestModifiers,
} from "./check-shape.ts";

test("an index holds exports from other files, values and types", () => {
  const text = `export { a } from "./a.ts";\nexport { type B, b } from "./b.ts";`;
  expect(checkIndexFiles(new Map([["packages/a/src/index.ts", text]]))).toEqual([]);
});

test.each([
  ...[`import "./a.ts";`, "const a = 1;\nexport { a };", "export const a = 1;", "run();"],
  ...[`export * from "./a.ts";`, `export * as a from "./a.ts";`],
])("an index may not hold %s", (text) => {
  expect(checkIndexFiles(new Map([["packages/a/src/index.ts", text]]))).not.toEqual([]);
});

test("an error may extend, an interface may extend, no other class may", () => {
  const problems = (text: string) => checkInheritance(new Map([["x.ts", text]]));
  expect(problems("class ModelError extends Error {}")).toEqual([]);
  expect(problems("interface A extends B {}")).toEqual([]);
  expect(problems("class A implements B {}")).toEqual([]);
  expect(problems("class MemoryLog extends Log {}")).toEqual(["x.ts:1 extends a class"]);
  expect(problems("const a = class extends Log {};")).toHaveLength(1);
});

test.each(["test", "it", "describe"])("%s may not be skipped or alone", (runner) => {
  const text = `${runner}.skip("a", f);\n${runner}.only("b", f);\n${runner}.skip.each([])("c", f);`;
  expect(checkTestModifiers(new Map([["x.test.ts", text]]))).toHaveLength(3);
});

test("an option called skip is no skipped test", () => {
  const text = `clockContract({ skip: [] });\nreader.skip(3);`;
  expect(checkTestModifiers(new Map([["x.test.ts", text]]))).toEqual([]);
});

test("an open end is found in code, and only as a word", () => {
  const word = ["TO", "DO"].join("");
  expect(checkOpenEnds(new Map([["x.ts", `a();\n// ${word}: finish`]]))).toEqual(["x.ts:2"]);
  expect(checkOpenEnds(new Map([["x.ts", `const ${word}S = 1;`]]))).toEqual([]);
  expect(checkOpenEnds(new Map([["x.md", word]]))).toEqual([]);
});
