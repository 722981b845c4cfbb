import { uuidFrom } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { applyChange } from "./apply-change.ts";
import { createGraph, type Graph } from "./graph.ts";
import { findNode, readStateHash } from "./read-graph.ts";
import { type ConflictRule, settleWrites, type Write } from "./settle-writes.ts";

const meta = { protocol_version: "1.0.0", schema_version: "2.0.0" };
const context = uuidFrom("context");

function createContext(): Graph {
  const graph = createGraph();
  const root = { domain: "shop", environment: "test" };
  const object = { meta, context_id: context, root, title: "Shop", status: "draft" };
  expect(applyChange(graph, { kind: "put", type: "context", object }).kind).toBe("changed");
  return graph;
}

const title = (by: string, words: string, saw = 1): Write => ({
  by,
  change: { kind: "edit", id: context, fields: { title: words }, saw },
});
const titleOf = (graph: Graph): unknown =>
  (findNode(graph, context)?.object as { readonly title?: string } | undefined)?.title;
const both = [title("ada", "Ada's"), title("bea", "Bea's")];

describe("two who saw the same version and want something else", () => {
  test.each<readonly [string, ConflictRule, string]>([
    ["the first is taken", "first", "ada"],
    ["the last is taken", "last", "bea"],
    ["whoever is preferred is taken", { prefer: ["cem", "bea", "ada"] }, "bea"],
  ])("%s", (_, rule, winner) => {
    const graph = createContext();
    const { results, conflicts } = settleWrites(graph, both, { rule });
    expect(conflicts).toEqual([
      { node: context, saw: 1, by: ["ada", "bea"], winner, resolvedBy: "rule" },
    ]);
    expect(results.map((result) => result?.kind ?? null)).toEqual(
      winner === "ada" ? ["changed", null] : [null, "changed"],
    );
    expect(titleOf(graph)).toBe(winner === "ada" ? "Ada's" : "Bea's");
  });

  test("nothing is changed while a person has to say whose word is taken", () => {
    const graph = createContext();
    const before = readStateHash(graph);
    const asked = settleWrites(graph, both, { rule: "person" });
    expect(asked).toEqual({
      results: [null, null],
      conflicts: [{ node: context, saw: 1, by: ["ada", "bea"], winner: null, resolvedBy: null }],
    });
    expect(readStateHash(graph)).toBe(before);
    const verdicts = { [context]: "bea" };
    const { conflicts } = settleWrites(graph, both, { rule: "person", verdicts });
    expect(conflicts).toMatchObject([{ winner: "bea", resolvedBy: "person" }]);
    expect(titleOf(graph)).toBe("Bea's");
  });

  test("a person who names nobody of them decides nothing, and neither does an empty list", () => {
    const graph = createContext();
    for (const options of [
      { rule: "person", verdicts: { [context]: "eve" } } as const,
      { rule: { prefer: ["eve"] } },
    ]) {
      const { results, conflicts } = settleWrites(graph, both, options);
      expect(results).toEqual([null, null]);
      expect(conflicts).toMatchObject([{ winner: null, resolvedBy: null }]);
    }
    expect(titleOf(graph)).toBe("Shop");
  });
});

describe("no conflict", () => {
  test("two who want the same: the second comes too late, and is told", () => {
    const graph = createContext();
    const writes = [title("ada", "One"), title("bea", "One")];
    const { results, conflicts } = settleWrites(graph, writes, { rule: "person" });
    expect(conflicts).toEqual([]);
    expect(results).toMatchObject([
      { kind: "changed" },
      { kind: "refused", rule: "version-stale", about: context },
    ]);
  });

  test("one who saw another version is refused as stale, and takes nobody's place", () => {
    const graph = createContext();
    const writes = [title("ada", "Ada's"), title("bea", "Bea's", 7)];
    const { results, conflicts } = settleWrites(graph, writes, { rule: "last" });
    expect(conflicts).toEqual([]);
    expect(results).toMatchObject([{ kind: "changed" }, { rule: "version-stale" }]);
    expect(titleOf(graph)).toBe("Ada's");
  });
});
