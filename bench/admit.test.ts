// That the figures can be produced, at a size that says nothing about speed.
import { expect, test } from "vitest";
import { measureAdmission } from "./admit.ts";
import { renderReport } from "./report.ts";
import { RULES, TERMS } from "./sample-admission.ts";

test("what is measured is what is asked for", () => {
  expect([TERMS, RULES]).toEqual([100, 50]);
});

test("every figure of admission is a number, and all goals are named", async () => {
  const figures = await measureAdmission({ turns: 4, rounds: 1 });
  expect(figures.map(({ name }) => name)).toEqual([
    "without terms and rules",
    "100 terms and 50 rules",
    "with against without",
  ]);
  for (const { columns } of figures)
    for (const value of Object.values(columns)) expect(value).not.toBeNaN();
  expect(figures[1]?.goal).toEqual({ column: "ratio", atMost: 2.5 });
  expect(renderReport(figures, { hasJson: true }).lines.at(-1)).toContain('"goals"');
});
