import { expect, test } from "vitest";
import { alignColumns } from "./align-columns.ts";

test("names stand left and numbers right, each column as wide as its widest cell", () => {
  expect(
    alignColumns([
      ["fault", "turns", "s"],
      ["node killed", "5000", "12.5"],
      ["frozen", "7", "-"],
    ]),
  ).toEqual(["fault        turns     s", "node killed   5000  12.5", "frozen           7     -"]);
});

test("no rows are no lines", () => {
  expect(alignColumns([])).toEqual([]);
});
