import { expect, test } from "vitest";
import { chooseMutants } from "./choose-mutants.ts";

const some = Array.from({ length: 21 }, (_, index) => index);

test("as many settings in a row as there are parts ask every mutant once", () => {
  for (const first of [0, 65, 1_000_003]) {
    const settings = Array.from({ length: 8 }, (_, index) => String(first + index));
    const asked = settings.flatMap((setting) => chooseMutants(some, 8, setting));
    expect(asked.sort((one, other) => one - other)).toEqual(some);
  }
});

test("the first part is asked unless another one is named, and all when that is said", () => {
  expect(chooseMutants(some, 8)).toEqual([0, 8, 16]);
  expect(chooseMutants(some, 8, "9")).toEqual([1, 9, 17]);
  expect(chooseMutants(some, 8, "all")).toEqual(some);
  expect(chooseMutants([1], 8, "1")).toEqual([]);
});

test("a setting that is no part is refused: it would ask nothing, or the same for ever", () => {
  for (const setting of ["", "-1", "1.5", "All", "1e3", "9".repeat(16)])
    expect(() => chooseMutants(some, 8, setting)).toThrow(`MUTANTS is "${setting}"`);
});
