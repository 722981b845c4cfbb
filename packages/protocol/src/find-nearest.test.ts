import { expect, test } from "vitest";
import { findNearest, NEAREST_LENGTH_MAX } from "./find-nearest.ts";

const names = ["input", "found", "local.refund"];

test.each([
  ["inptu", "input"],
  ["inpu", "input"],
  ["inputs", "input"],
  ["nput", "input"],
  ["fond", "found"],
  ["refund", "local.refund"],
  ["local.refnud", "local.refund"],
])("%s is meant to be %s", (word, meant) => {
  expect(findNearest(word, names)).toBe(meant);
});

test.each(["", "in", "ixxxt", "tupni", "foundation", "local"])("%s is none of them", (word) => {
  expect(findNearest(word, names)).toBeUndefined();
});

test("of a short word one letter may differ", () => {
  expect(findNearest("max", ["as", "name"])).toBeUndefined();
  expect(findNearest("a", ["as", "name"])).toBe("as");
});

test("the nearest of several is meant", () => {
  expect(findNearest("order", ["ordre", "orders", "odrer"])).toBe("orders");
});

test("a word of more than NEAREST_LENGTH_MAX is not looked for", () => {
  const word = "a".repeat(NEAREST_LENGTH_MAX);
  expect(findNearest(word, [`${word}b`])).toBe(`${word}b`);
  expect(findNearest(`${word}a`, [word])).toBeUndefined();
});
