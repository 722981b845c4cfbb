import { expect, test } from "vitest";
import { isMet, tabulate, tabulateFigures } from "./prove.ts";

test("each figure with a goal has to be equal to it", () => {
  expect(isMet({ lost: 0, runs: 3, extra: 9 }, { lost: 0, runs: 3 })).toBe(true);
  expect(isMet({ lost: 1, runs: 3 }, { lost: 0, runs: 3 })).toBe(false);
  // A figure that was not counted misses its goal.
  expect(isMet({ runs: 3 }, { lost: 0 })).toBe(false);
  expect(isMet({ lost: "0" }, { lost: 0 })).toBe(false);
});

test("figures are a line each, and tallies a row each with the chosen fields", () => {
  expect(tabulateFigures({ runs: 3, lost: 0 })).toEqual([
    "| figure | value |\n| --- | --- |\n| runs | 3 |\n| lost | 0 |",
  ]);
  expect(tabulate(["store", "lost"], [{ store: "memory", lost: 0, more: 1 } as never])).toEqual([
    "| store | lost |\n| --- | --- |\n| memory | 0 |",
  ]);
});
