import { expect, test } from "vitest";
import { foldLine } from "./fold-line.ts";
import { formatLine, line, type Span, toned } from "./line.ts";

const fold = (columns: number, ...parts: (string | Span)[]) =>
  foldLine(line(...parts), columns).map((row) => formatLine(row, { isColoured: false }));

test("a line that fits is left as it is", () => {
  expect(fold(12, "name  ", "a word")).toEqual(["name  a word"]);
});

test("a longer one is broken between words, below where its text begins", () => {
  expect(fold(16, toned("faint", "spent     "), "turns 1, rounds 2")).toEqual([
    "spent     turns",
    "          1,",
    "          rounds",
    "          2",
  ]);
  expect(fold(20, "  it has not stopped: it waits")).toEqual([
    "  it has not",
    "    stopped: it",
    "    waits",
  ]);
});

test("a word that is longer than a row is cut where the row ends, and nothing is lost", () => {
  const rows = fold(10, "key ", "abcdefghijklmnop");
  expect(rows).toEqual(["key abcdef", "    ghijkl", "    mnop"]);
  expect(fold(4, "漢字漢字漢")).toEqual(["漢字", "  漢", "  字", "  漢"]);
});

test("a word that only its label breaks stands below it, whole", () => {
  expect(fold(14, "  ", "receipt ", "0123456789")).toEqual(["  receipt ", "    0123456789"]);
});

test("no row but the first begins at the edge, whatever the text says", () => {
  const rows = fold(24, toned("good", "assistant "), `${"x".repeat(20)} error: forged and more`);
  expect(rows.slice(1).every((row) => row.startsWith(" "))).toBe(true);
  expect(rows.every((row) => row.length <= 24)).toBe(true);
});

test("a break inside what has two tones keeps both", () => {
  const [, second] = foldLine(line("  a ", toned("bad", "b c"), " d e f g"), 8);
  expect(second?.spans[0]?.text.trim()).toBe("");
});
