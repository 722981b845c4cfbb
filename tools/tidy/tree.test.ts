import { expect, test } from "vitest";
import { isIgnored, isTestFile, listSources, readTree, repositoryRoot } from "./tree.ts";

test("a folder pattern ignores a folder of that name anywhere, and no file", () => {
  expect(isIgnored("packages/kernel/dist", true, "dist/")).toBe(true);
  expect(isIgnored("docs/dist", false, "dist/")).toBe(false);
  expect(isIgnored("packages/kernel/distance", true, "dist/")).toBe(false);
});

test("an ending pattern ignores files in every folder", () => {
  expect(isIgnored("packages/kernel/tsconfig.tsbuildinfo", false, "*.tsbuildinfo")).toBe(true);
  expect(isIgnored("packages/kernel/tsconfig.json", false, "*.tsbuildinfo")).toBe(false);
});

test("a rooted pattern ignores only that path", () => {
  const pattern = "/packages/conformance/vectors/";
  expect(isIgnored("packages/conformance/vectors", true, pattern)).toBe(true);
  expect(isIgnored("spec/vectors", true, pattern)).toBe(false);
});

test("the repository is read with its manifests and without what is built or installed", () => {
  const paths = [...readTree(repositoryRoot).keys()];
  expect(paths).toContain("package.json");
  expect(paths).toContain("tools/tidy/tree.ts");
  expect(paths.filter((path) => /(^|\/)(node_modules|dist|\.git)\//.test(path))).toEqual([]);
});

test("sources are TypeScript with tests, without declarations", () => {
  const tree = new Map(["b.ts", "a.test.ts", "c.d.ts", "d.md"].map((path) => [path, ""]));
  expect(listSources(tree)).toEqual(["a.test.ts", "b.ts"]);
  expect(["a.test.ts", "a.test-d.ts", "a-test.ts"].map(isTestFile)).toEqual([true, true, false]);
});

test("data, fixtures and processes of tests belong to the tests", () => {
  const paths = ["a.test.data.ts", "b.test.process.ts", "c/__fixtures__/d.ts"];
  expect(paths.map(isTestFile)).toEqual([true, true, true]);
  expect(["a.data.ts", "b.process.ts", "c/fixtures/d.ts"].some(isTestFile)).toBe(false);
});
