// That the figures can be produced, at a size that says nothing about speed.
import { expect, test } from "vitest";
import { measureContext, SCENES } from "./context.ts";

test("every figure of context is a number, and has a goal", async () => {
  const figures = await measureContext({ entries: 200, span: 10 });
  expect(figures).toHaveLength(2 * SCENES.length);
  for (const { columns, goal } of figures) {
    for (const value of Object.values(columns)) expect(value).toBeGreaterThan(0);
    expect(goal).toEqual({ column: "ratio", atMost: 1.2 });
  }
});
