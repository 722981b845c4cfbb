import { expect, test } from "vitest";
import type { Boundary } from "../boundaries.ts";
import { checkBoundaries } from "./check-boundaries.ts";

const boundaries: readonly Boundary[] = [
  { folder: "packages/low", name: "low", workspace: [], external: [], node: [] },
  {
    folder: "packages/high",
    name: "high",
    workspace: ["low"],
    external: ["@scope/lib"],
    node: [],
    nodeIn: { suffix: "-contract.ts", modules: ["node:assert"] },
    testWorkspace: ["other"],
    layers: { ".": ["leaf"], leaf: [], step: ["leaf"] },
  },
];

function problemsOf(path: string, text: string): string[] {
  return checkBoundaries(new Map([[path, text]]), boundaries);
}

test("what the table lists is allowed, with its subpaths", () => {
  const text = `import "low"; import "low/events"; import "@scope/lib/x.js"; import "./a.ts";`;
  expect(problemsOf("packages/high/src/a.ts", text)).toEqual([]);
});

test("an import upwards is refused, also one of types only", () => {
  expect(problemsOf("packages/low/src/a.ts", `import type { X } from "high";`)).toEqual([
    "packages/low/src/a.ts imports high: low may not import high",
  ]);
});

test("an external package that is not listed is refused", () => {
  expect(problemsOf("packages/high/src/a.ts", `import "@scope/other";`)).toHaveLength(1);
});

test("a module of Node is refused where none is listed, by either spelling", () => {
  expect(problemsOf("packages/low/src/a.ts", `import "node:fs";`)).toHaveLength(1);
  expect(problemsOf("packages/low/src/a.ts", `import "fs";`)).toHaveLength(1);
  expect(problemsOf("packages/low/src/a.ts", `await import("node:fs");`)).toHaveLength(1);
});

test("only the named files may load the named modules", () => {
  expect(problemsOf("packages/high/src/x-contract.ts", `import "node:assert";`)).toEqual([]);
  expect(problemsOf("packages/high/src/x.ts", `import "node:assert";`)).toHaveLength(1);
  expect(problemsOf("packages/high/src/x-contract.ts", `import "node:fs";`)).toHaveLength(1);
});

test("tests may import the test packages and Node; production files may not", () => {
  const text = `import "vitest"; import "other"; import "node:fs";`;
  expect(problemsOf("packages/high/src/a.test.ts", text)).toEqual([]);
  expect(problemsOf("packages/high/src/a.ts", text)).toHaveLength(3);
  expect(problemsOf("packages/low/src/a.test.ts", `import "other";`)).toHaveLength(1);
});

test("a relative import may not leave the package", () => {
  expect(problemsOf("packages/high/src/a.ts", `import "../../low/src/b.ts";`)).toHaveLength(1);
  expect(problemsOf("packages/high/src/a.test.ts", `import "../../../tools/x.ts";`)).toHaveLength(
    1,
  );
});

test("a folder may import the folders below it and the files beside them", () => {
  const text = `import "../leaf/b.ts"; import "../limits.ts"; import "./c.ts";`;
  expect(problemsOf("packages/high/src/step/a.ts", text)).toEqual([]);
  expect(problemsOf("packages/high/src/world.ts", `import "./leaf/b.ts";`)).toEqual([]);
  expect(problemsOf("packages/high/src/index.ts", `export * from "./step/a.ts";`)).toEqual([]);
});

test("a folder may not import one above it, nor may a file beside the folders", () => {
  expect(problemsOf("packages/high/src/leaf/a.ts", `import "../step/b.ts";`)).toEqual([
    "packages/high/src/leaf/a.ts imports ../step/b.ts: leaf/ may not import step/",
  ]);
  expect(problemsOf("packages/high/src/limits.ts", `import "./step/b.ts";`)).toHaveLength(1);
  expect(problemsOf("packages/high/src/stray/a.ts", `import "../leaf/b.ts";`)).toHaveLength(1);
});

test("a package that is not in the table may import nothing", () => {
  expect(problemsOf("packages/stray/src/a.ts", `import "low";`)).toHaveLength(1);
});

test("an example imports what a user has", () => {
  expect(problemsOf("examples/a.ts", `import "turnseal"; import "zod"; import "./b.ts";`)).toEqual(
    [],
  );
  expect(problemsOf("examples/a.ts", `import "@turnseal/kernel";`)).toHaveLength(1);
  expect(problemsOf("examples/a.ts", `import "../packages/low/src/a.ts";`)).toHaveLength(1);
});

test("an example with a page has the client, and no other example has", () => {
  const both = `import "@turnseal/client"; import "turnseal";`;
  expect(problemsOf("examples/chat/a.ts", both)).toEqual([]);
  expect(problemsOf("examples/chats/a.ts", `import "@turnseal/client";`)).toHaveLength(1);
});
