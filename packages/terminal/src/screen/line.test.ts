import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { formatLine, line, toned } from "./line.ts";

test("a line without colours holds no escape code, whatever it says", () => {
  const text = formatLine(line(toned("bad", "\u001b[31mx"), " ", "y\u0007"), { isColoured: false });
  expect(text).toBe("\\u001b[31mx y\\u0007");
});

test("a coloured line holds the codes of its tones and none of its text", () => {
  const text = formatLine(line(toned("good", "✓"), " \u001b[2J"), { isColoured: true });
  expect(text).toContain("\u001b[32m");
  expect(stripVTControlCharacters(text)).toBe("✓ \\u001b[2J");
});

test("the end is aligned to the right edge", () => {
  const text = formatLine({ spans: [{ text: "abc" }], end: { text: "5 ms" } }, plain(20));
  expect(text).toBe("abc             5 ms");
});

test("without an edge the end follows the line", () => {
  const whole = { spans: [{ text: "abc" }], end: { text: "5 ms" } };
  expect(formatLine(whole, { isColoured: false })).toBe("abc  5 ms");
});

test("a line that is too long is cut, so that it takes one row", () => {
  const long = { spans: [{ text: "abcdef" }, { text: "ghijkl" }], end: { text: "5 ms" } };
  expect(formatLine(long, plain(14))).toBe("abcdefg…  5 ms");
  expect(formatLine(line("abcdef"), plain(6))).toBe("abcdef");
  expect(formatLine(line("abcdefg"), plain(6))).toBe("abcde…");
});

test("wide characters count twice, and marks not at all", () => {
  expect(formatLine(line("東京都"), plain(6))).toBe("東京都");
  expect(formatLine(line("東京都市"), plain(6))).toBe("東京…");
  expect(formatLine(line("e\u0301e\u0301"), plain(2))).toBe("e\u0301e\u0301");
});

test("a window that is too narrow for anything still gets a line", () => {
  expect(formatLine({ spans: [{ text: "abc" }], end: { text: "5 ms" } }, plain(3))).toBe("  5 ms");
});

function plain(columns: number): { isColoured: boolean; columns: number } {
  return { isColoured: false, columns };
}
