import { expect, test } from "vitest";
import { wrapText } from "./wrap-text.ts";

test("a text is broken after so many cells, also inside a word", () => {
  expect(wrapText("abcdef", 4)).toEqual(["abcd", "ef"]);
  expect(wrapText("abcd", 4)).toEqual(["abcd"]);
  expect(wrapText("", 4)).toEqual([""]);
});

test("a wide character that would stand over the edge stands in the next row", () => {
  expect(wrapText("abc\u6f22d", 4)).toEqual(["abc", "\u6f22d"]);
});
