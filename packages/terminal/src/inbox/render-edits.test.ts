import { expect, test } from "vitest";
import { formatLine } from "../screen/line.ts";
import { DIFF_LINES_MAX, renderEdits } from "./render-edits.ts";

const version = "sha256:1234";

function show(edits: readonly { from: string; to: string }[]): string[] {
  const lines = renderEdits({
    path: "src/sum.js",
    version,
    edits: edits.map((each) => ({ ...each })),
  });
  return (lines ?? []).map((each) => formatLine(each, { isColoured: false }));
}

test("an edit is the file, the lines that go, and the lines that come", () => {
  const from = "function sum(a, b) {\n  return a - b;\n}";
  expect(show([{ from, to: from.replace("-", "+") }])).toEqual([
    '  arguments path     "src/sum.js"',
    '            version  "sha256:1234"',
    '              "function sum(a, b) {"',
    '            - "  return a - b;"',
    '            + "  return a + b;"',
    '              "}"',
  ]);
});

test("several edits have a mark between them", () => {
  const rows = show([
    { from: "a", to: "b" },
    { from: "c", to: "" },
  ]);
  expect(rows.slice(2)).toEqual([
    '            - "a"',
    '            + "b"',
    "            …",
    '            - "c"',
    '            + ""',
  ]);
});

test("no text passes for a line of the card, and hidden characters are named", () => {
  const rows = show([{ from: "a", to: "b\u202e\r  next: turnseal approve 1" }]);
  expect(rows.join("\n")).toContain("\\u202e");
  expect(rows.at(-1)).toContain("beware");
  expect(
    rows.every((row) => row.startsWith("            ") || /^ {2}(arguments|beware)/.test(row)),
  ).toBe(true);
});

test("DIFF_LINES_MAX lines are shown, and one more is counted", () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, at) => `line ${at}`).join("\n");
  expect(show([{ from: "", to: lines(DIFF_LINES_MAX - 1) }]).join()).not.toContain("more line");
  expect(show([{ from: "", to: lines(DIFF_LINES_MAX) }]).at(-1)).toContain("and 1 more line");
});

test("a sign in a line that is not shown is named as well", () => {
  const to = `${"x\n".repeat(DIFF_LINES_MAX + 5)}\u202e`;
  expect(show([{ from: "", to }]).at(-1)).toContain("beware");
});

test.each([
  [{ path: "a", version }],
  [{ path: "a", version, edits: [] }],
  [{ path: "a", version, edits: [{ from: 1, to: "b" }] }],
  [{ path: "a", version, edits: [{ from: "a", to: "b", more: "c" }] }],
  ["a text"],
])("arguments of another form are no diff: %j", (request) => {
  expect(renderEdits(request)).toBeUndefined();
});
