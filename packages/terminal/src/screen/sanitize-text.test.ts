import { expect, test } from "vitest";
import { renderJson, sanitizeText } from "./sanitize-text.ts";

test.each([
  ["\u001b[31mred\u001b[0m", "\\u001b[31mred\\u001b[0m"],
  ["\u001b]0;title\u0007", "\\u001b]0;title\\u0007"],
  ["\u009b2J", "\\u009b2J"],
  ["a\nb\r\tc", "a\\nb\\r\\tc"],
  ["\u0000\u007f", "\\u0000\\u007f"],
  ["\u202eabc\u2066\u061c", "\\u202eabc\\u2066\\u061c"],
  ["\u2028\u2029", "\\u2028\\u2029"],
  ["\ud800", "\ufffd"],
])("%j is shown as %j", (text, shown) => {
  expect(sanitizeText(text)).toBe(shown);
});

test.each(["plain", "Grüße, 東京", "👩‍🚀", "a\\nb"])("%s stays as it is", (text) => {
  expect(sanitizeText(text)).toBe(text);
});

test("JSON is the same value, and holds nothing that a terminal obeys", () => {
  const value = { "\u009bkey": ["\u001b[2J", "\u007f\u202e", "line\nbreak", "東京"] };
  const text = renderJson(value, 2);
  expect(JSON.parse(text)).toEqual(value);
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
  expect(text.split("\n")).toHaveLength(8);
});
