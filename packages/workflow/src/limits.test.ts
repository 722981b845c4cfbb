import { FLOW_NODES_MAX } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { checkTables, SLIPS_MAX } from "./check-tables.ts";
import { listFileNames } from "./list-file-names.ts";
import { splitWords } from "./parse-action.ts";

const many = <Item>(length: number, item: Item): Item[] => Array.from({ length }, () => item);
const words = (length: number): string[] => many(length, "word");

describe("a file has limits", () => {
  test.each<[string, (length: number) => unknown]>([
    ["steps", (length) => ({ steps: many(length, { action: "a" }) })],
    ["states", (length) => ({ states: many(length, { name: "a" }) })],
    [
      "steps inside others",
      (length) => ({ steps: [{ steps: many(length - 1, { action: "a" }) }] }),
    ],
    [
      "transitions",
      (length) => ({ states: [{ name: "a", transitions: many(length, { next: "a" }) }] }),
    ],
    ["words of a verb", (length) => ({ workflow: { verbs: { view: words(length) } } })],
    [
      "verbs",
      (length) => ({
        workflow: { verbs: Object.fromEntries(words(length).map((_, at) => [`v${at}`, []])) },
      }),
    ],
  ])("for %s", (_, build) => {
    expect(checkTables(build(FLOW_NODES_MAX))).toEqual([]);
    expect(checkTables(build(FLOW_NODES_MAX + 1))).toMatchObject([{ rule: "flow-limit" }]);
  });

  test("for slips that are told", () => {
    const slips = (length: number) =>
      checkTables({ steps: many(length, { actoin: "a" }) }).map(({ rule }) => rule);
    expect(slips(SLIPS_MAX)).toEqual(many(SLIPS_MAX, "field-unknown"));
    expect(slips(SLIPS_MAX + 1)).toEqual(many(SLIPS_MAX, "field-unknown"));
  });
});

test("a long list is looked through for files", () => {
  const { workflows } = listFileNames({ steps: many(200_000, { workflow: "a.toml" }) });
  expect(workflows).toHaveLength(200_000);
});

test("white space after an action does not make it slow", () => {
  expect(splitWords(`${"a ".repeat(200_000)}${" ".repeat(200_000)}`)).toHaveLength(200_000);
});
