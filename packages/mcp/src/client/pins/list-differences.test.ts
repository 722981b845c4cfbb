import { expect, test } from "vitest";
import { listDifferences } from "./list-differences.ts";
import type { PinnedTool, ServerPin } from "./pin.ts";

const pinOf = (tools: readonly PinnedTool[]): ServerPin => ({
  ...{ identity: { kind: "address", url: "https://a.example/" }, era: "legacy" },
  ...{ tools, refused: [] },
});

test("a full list under other names is compared once for each tool", () => {
  const count = 2_000;
  let reads = 0;
  const listed = (prefix: string) =>
    Array.from({ length: count }, (_, index) => ({
      name: `${prefix}${index}`,
      inputSchema: { type: "object" },
      get description() {
        reads += 1;
        return `${prefix} ${index}`;
      },
    }));
  const differences = listDifferences(pinOf(listed("a")), pinOf(listed("b")));
  expect(differences).toHaveLength(2 * count);
  expect(reads).toBe(2 * count);
});

test("of several tools that are alike the first is the renamed one", () => {
  const listed = (...names: string[]) => pinOf(names.map((name) => ({ name, inputSchema: {} })));
  expect(listDifferences(listed("a"), listed("b", "c"))).toEqual([
    { kind: "renamed", tool: "a", to: "b" },
    { kind: "appeared", tool: "c" },
  ]);
});
