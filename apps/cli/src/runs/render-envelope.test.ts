import { expect, test } from "vitest";
import { renderSources } from "./render-envelope.ts";

test.each([
  [
    { id: "1", url: "https://example.com/oslo", title: "Oslo" },
    "source    Oslo https://example.com/oslo",
  ],
  [{ id: "1", url: "https://example.com/oslo" }, "source    https://example.com/oslo"],
  [{ id: "1", title: "Rules", filename: "rules.pdf" }, "source    Rules rules.pdf"],
  [{ id: "doc-1" }, "source    doc-1"],
])("a source %j is one line", (source, expected) => {
  const [shown] = renderSources([source]);
  expect(shown?.spans.map(({ text }) => text).join("")).toBe(expected);
});
