import { expect, test } from "vitest";
import { renderRest } from "./render-envelope.ts";

function show(rest: Parameters<typeof renderRest>[0]): string[] {
  return renderRest(rest).map(({ spans }) => spans.map(({ text }) => text).join(""));
}

test.each([
  [
    { id: "1", url: "https://example.com/oslo", title: "Oslo" },
    "source    Oslo https://example.com/oslo",
  ],
  [{ id: "1", url: "https://example.com/oslo" }, "source    https://example.com/oslo"],
  [{ id: "1", title: "Rules", filename: "rules.pdf" }, "source    Rules rules.pdf"],
  [{ id: "doc-1" }, "source    doc-1"],
])("a source %j is one line", (source, expected) => {
  expect(show({ sources: [source] })).toEqual([expected]);
});

test("what was summarised is one line, before the sources", () => {
  const sources = [{ id: "doc-1" }];
  expect(show({ sources, summarized: { from: 0, to: 6 } })).toEqual([
    "summary   a summary stands for the earlier entries 0 to 5",
    "source    doc-1",
  ]);
  expect(show({ summarized: { from: 6, to: 12 } })).toEqual([
    "summary   a summary stands for the earlier entries 6 to 11 and the summary before",
  ]);
});

test("an answer that rests on nothing but what was said has no line below it", () => {
  expect(show({})).toEqual([]);
});
