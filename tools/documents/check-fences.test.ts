import { expect, test } from "vitest";
import { checkJson, checkMarks, checkQuotations, listDocumentFences } from "./check-fences.ts";
import type { Fence } from "./list-fences.ts";

function fence(language: string, marks: readonly string[], text = ""): Fence {
  return { document: "a.md", line: 3, language, marks, text };
}

test("documents are read, the specification and code are not", () => {
  const tree = new Map([
    ["a.md", "```ts\n1\n```"],
    ["docs/b.md", "```sh\n2\n```"],
    ["spec/c.md", "```ts\n3\n```"],
    ["d.ts", "```ts\n4\n```"],
  ]);
  expect(listDocumentFences(tree).map(({ text }) => text)).toEqual(["1", "2"]);
});

test("a mark is known for its language only", () => {
  const known = [
    fence("ts", ["no-run"]),
    fence("ts", ["needs-key", "file=a.ts"]),
    fence("ts", ["before"]),
    fence("sh", ["run"]),
    fence("json", ["file=a.json"]),
    fence("text", []),
  ];
  expect(checkMarks(known)).toEqual([]);
  for (const unknown of [
    fence("ts", ["norun"]),
    fence("ts", ["run"]),
    fence("sh", ["no-run"]),
    fence("text", ["run"]),
    fence("json", ["file="]),
    fence("constructor", ["test"]),
  ]) {
    expect(checkMarks([unknown])).toEqual([`a.md:3 has the unknown mark ${unknown.marks[0]}`]);
  }
});

test("a quotation stands word for word in its file", () => {
  const tree = new Map([["a.ts", "one\n  two\nthree\n"]]);
  expect(checkQuotations([fence("ts", ["from=a.ts"], "  two\nthree")], tree)).toEqual([]);
  expect(checkQuotations([fence("ts", ["from=a.ts"], "two\n  three")], tree)).toEqual([
    "a.md:3 is not in a.ts",
  ]);
  expect(checkQuotations([fence("ts", ["from=b.ts"], "two")], tree)).toEqual([
    "a.md:3 quotes b.ts, which is not there",
  ]);
});

test("what says that it is JSON is JSON", () => {
  expect(checkJson([fence("json", [], '{ "a": [1] }'), fence("text", [], "{ a }")])).toEqual([]);
  expect(checkJson([fence("json", [], "{ a: 1 }")])).toEqual(["a.md:3 is not JSON"]);
});
