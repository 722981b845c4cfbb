import { expect, test } from "vitest";
import type { Boundary } from "./boundaries.ts";
import { renderTree } from "./render-tree.ts";

const boundary: Boundary = {
  folder: "packages/a",
  name: "@turnseal/a",
  workspace: [],
  external: [],
  node: [],
  layers: { ".": [], zero: [], gone: [], one: ["zero"] },
};

test("rooms stand in the order of the layers, and those that no layer names come last", () => {
  const paths = ["one/x.ts", "two/y.ts", "zero/z.ts", "index.ts", "__fixtures__/f.ts"];
  const files = paths.map((path) => `packages/a/src/${path}`);
  expect(renderTree(files, [boundary])).toBe(
    ["```text", "packages/a/src   zero one two", "```"].join("\n"),
  );
});

test("files of other packages, and a layer without files, are no room of this one", () => {
  const files = ["packages/ab/src/x/y.ts", "packages/a/test/x/y.ts", "packages/a/src/index.ts"];
  expect(renderTree(files, [boundary])).toContain("packages/a/src   (one room)");
});

test("many rooms go on in the next line, below the first", () => {
  const files = Array.from({ length: 30 }, (_, index) => `packages/a/src/room-${index}/x.ts`);
  const lines = renderTree(files, [boundary]).split("\n").slice(1, -1);
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(110);
  expect(lines[1]).toMatch(/^ {17}room-/);
});
