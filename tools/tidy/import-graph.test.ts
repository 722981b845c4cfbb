import { expect, test } from "vitest";
import { createImportGraph, findCycles, findKnots } from "./import-graph.ts";
import type { Tree } from "./tree.ts";

const manifest = JSON.stringify({
  name: "@turnseal/a",
  exports: {
    ".": { "turnseal-source": "./src/index.ts", default: "./dist/index.js" },
    "./sub": { "turnseal-source": "./src/sub.ts", default: "./dist/sub.js" },
  },
});

function cyclesOf(files: Readonly<Record<string, string>>): string[] {
  const tree: Tree = new Map(Object.entries(files));
  return findCycles(createImportGraph(tree));
}

test("a chain and a diamond have no cycle", () => {
  expect(
    cyclesOf({
      "a.ts": `import "./b.ts"; import "./c.ts";`,
      "b.ts": `import "./d.ts";`,
      "c.ts": `import "./d.ts";`,
      "d.ts": `import "node:fs";`,
    }),
  ).toEqual([]);
});

test("two files that import each other are a cycle, also by types", () => {
  expect(
    cyclesOf({ "a.ts": `import { b } from "./b.ts";`, "b.ts": `import type { A } from "./a.ts";` }),
  ).toEqual(["a.ts <-> b.ts"]);
});

test("a cycle over three folders is one finding, and its outside is not part of it", () => {
  expect(
    cyclesOf({
      "main.ts": `import "./x/a.ts";`,
      "x/a.ts": `export * from "../y/b.ts";`,
      "y/b.ts": `import "../z/c.ts";`,
      "z/c.ts": `import "../x/a.ts"; import "./leaf.ts";`,
      "z/leaf.ts": "",
    }),
  ).toEqual(["x/a.ts <-> y/b.ts <-> z/c.ts"]);
});

test("a file that imports itself is a cycle", () => {
  expect(cyclesOf({ "a.ts": `import "./a.ts";` })).toEqual(["a.ts"]);
});

test("a cycle through the exports map of a package is found", () => {
  expect(
    cyclesOf({
      "packages/a/package.json": manifest,
      "packages/a/src/index.ts": `export * from "./one.ts";`,
      "packages/a/src/one.ts": `import "@turnseal/a";`,
    }),
  ).toEqual(["packages/a/src/index.ts <-> packages/a/src/one.ts"]);
});

test("a subpath leads to its own source", () => {
  const graph = createImportGraph(
    new Map([
      ["packages/a/package.json", manifest],
      ["packages/a/src/sub.ts", ""],
      ["packages/b/src/x.ts", `import "@turnseal/a/sub";`],
    ]),
  );
  expect(graph.get("packages/b/src/x.ts")).toEqual(["packages/a/src/sub.ts"]);
});

function knotsOf(files: Readonly<Record<string, string>>): string[] {
  return findKnots(createImportGraph(new Map(Object.entries(files))));
}

test("folders that import each other are a knot, though no file does", () => {
  expect(
    knotsOf({
      "packages/a/src/x/one.ts": `import "../y/two.ts";`,
      "packages/a/src/x/three.ts": "",
      "packages/a/src/y/two.ts": "",
      "packages/a/src/y/four.ts": `import type { T } from "../x/three.ts";`,
    }),
  ).toEqual(["packages/a/src/x <-> packages/a/src/y"]);
});

test("a folder that is imported, files beside the folders and tests make no knot", () => {
  expect(
    knotsOf({
      "packages/a/src/index.ts": `export * from "./x/one.ts";`,
      "packages/a/src/leaf.ts": `import "./x/one.ts";`,
      "packages/a/src/x/one.ts": `import "../y/two.ts"; import "../leaf.ts"; import "./in/six.ts";`,
      "packages/a/src/x/in/six.ts": `import "../seven.ts";`,
      "packages/a/src/x/seven.ts": "",
      "packages/a/src/y/two.ts": "",
      "packages/a/src/y/two.test.ts": `import "../x/one.ts";`,
    }),
  ).toEqual([]);
});

test("a knot over three folders is one finding", () => {
  expect(
    knotsOf({
      "tools/x/a.ts": `import "../y/b.ts";`,
      "tools/y/b.ts": `import "../z/c.ts";`,
      "tools/z/c.ts": "",
      "tools/z/d.ts": `import "../x/e.ts";`,
      "tools/x/e.ts": "",
    }),
  ).toEqual(["tools/x <-> tools/y <-> tools/z"]);
});
