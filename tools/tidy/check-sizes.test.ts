import { expect, test } from "vitest";
import { checkSizes, warnOfSizes } from "./check-sizes.ts";

const rule = { what: "lines", warned: 300, refused: 500 };
const measures = new Map([
  ["at.ts", 300],
  ["over.ts", 301],
  ["largest.ts", 500],
  ["refused.ts", 501],
]);

test("a measure past the second limit is refused, one at it is not", () => {
  expect(checkSizes(rule, measures)).toEqual(["refused.ts: 501 lines, more than 500"]);
});

test("a measure between the limits is warned of, the largest first", () => {
  expect(warnOfSizes(rule, measures)).toEqual(["largest.ts: 500 lines", "over.ts: 301 lines"]);
});
