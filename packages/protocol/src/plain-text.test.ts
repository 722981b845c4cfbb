import { expect, test } from "vitest";
import { isPlainText, textOf } from "./plain-text.ts";

test("a text of the longest length is plain, and one unit more is not", () => {
  expect(isPlainText("x".repeat(8), 8)).toBe(true);
  expect(isPlainText("x".repeat(9), 8)).toBe(false);
});

test.each<[string, unknown]>([
  ["nothing", ""],
  ["NUL", "fin\0ance"],
  ["half of a pair", "fin\ud800"],
  ["a number", 7],
  ["no value", undefined],
])("%s is no plain text", (_, value) => {
  expect(isPlainText(value, 100)).toBe(false);
});

test("text of any language is plain", () => {
  expect(isPlainText("Finanzprüfung 💡", 100)).toBe(true);
});

test.each<[unknown, string]>([
  ["a text", "a text"],
  [7, "7"],
  [null, "null"],
  [undefined, ""],
  [["a"], '["a"]'],
  [{ toString: 0, valueOf: 0 }, '{"toString":0,"valueOf":0}'],
])("a text is made of %j", (value, text) => {
  expect(textOf(value)).toBe(text);
});
