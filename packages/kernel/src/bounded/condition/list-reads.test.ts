import { expect, test } from "vitest";
import { compileExpression } from "./expression.ts";

const names = new Map(["input", "found"].map((name) => [name, undefined]));

function listReads(text: string): readonly unknown[] {
  const compiled = compileExpression(text, names);
  if (compiled.kind === "refused") throw new Error(compiled.reason);
  return compiled.reads;
}

test.each<[string, unknown[]]>([
  ["1 + 2", []],
  ["input", [["input"]]],
  ["found.output.list[0].name", [["found", "output", "list", 0, "name"]]],
  ["found['output']", [["found", "output"]]],
  ["has(found.trace)", [["found", "trace"]]],
  ["size(found.trace) > 0", [["found", "trace"]]],
  [
    "input.a ? found.output : [found.status]",
    [
      ["input", "a"],
      ["found", "output"],
      ["found", "status"],
    ],
  ],
  // A computed name may be any field below.
  ["found[input.fact]", [["found"], ["input", "fact"]]],
  [
    "found.output[input.at].name",
    [
      ["found", "output"],
      ["input", "at"],
    ],
  ],
  // An item is no name, and what it is an item of is read.
  ["[found].map(item, item.trace)", [["found"]]],
  [
    "input.list.map(item, item.a + found.output)",
    [
      ["input", "list"],
      ["found", "output"],
    ],
  ],
  [
    "input.list.exists(a, input.other.all(b, a == b))",
    [
      ["input", "list"],
      ["input", "other"],
    ],
  ],
  [
    "input.list.map(a, a > 1, a + input.n)",
    [
      ["input", "list"],
      ["input", "n"],
    ],
  ],
  [
    "!(input.a in found.output) || -input.b < 1",
    [
      ["input", "a"],
      ["found", "output"],
      ["input", "b"],
    ],
  ],
  ["input.text.matches('a')", [["input", "text"]]],
  [
    "input.a.startsWith(input.b)",
    [
      ["input", "a"],
      ["input", "b"],
    ],
  ],
])("%s", (text, reads) => {
  expect(listReads(text)).toEqual(reads);
});
