// That the figures can be produced, at a size that says nothing about speed.
import { expect, test } from "vitest";
import { measureLists } from "./list.ts";

test("a first page is measured in both stores, and both have the goal", async () => {
  const figures = await measureLists({ few: 3, many: 60, pages: 4 });
  expect(figures.map(({ name }) => name)).toEqual(["SQLite", "PostgreSQL"]);
  for (const { columns, goal } of figures) {
    expect(goal).toEqual({ column: "ratio", atMost: 1.5 });
    for (const value of Object.values(columns)) expect(value).not.toBeNaN();
  }
});
