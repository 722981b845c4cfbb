import { expect, test } from "vitest";
import { CARD_COLUMNS, fitLine } from "./fit-line.ts";
import { formatLine, line, toned } from "./line.ts";

const fit = (text: string, columns: number): string[] =>
  fitLine(line(toned("faint", "until     "), text), columns, "          ").map((each) =>
    formatLine(each, { isColoured: false }),
  );

test("a line that fits stays as it is", () => {
  expect(fit("tomorrow", CARD_COLUMNS)).toEqual(["until     tomorrow"]);
});

test("a longer one is broken between words, and goes on below its value", () => {
  expect(fit("tomorrow, or the day after that", 26)).toEqual([
    "until     tomorrow, or the",
    "          day after that",
  ]);
});

test("a word that is longer than the terminal is wide stays whole", () => {
  expect(fit("a 0123456789abcdef b", 20)).toEqual([
    "until     a",
    "          0123456789abcdef",
    "          b",
  ]);
});
