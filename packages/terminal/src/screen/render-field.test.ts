import { expect, test } from "vitest";
import { formatLine } from "./line.ts";
import { DETAIL_INDENT, renderDetail, renderField } from "./render-field.ts";

const text = (name: string, value: string | undefined) =>
  renderField(name, value).map((each) => formatLine(each, { isColoured: false }));

test("values stand in one column", () => {
  expect(text("run", "a")).toEqual(["run       a"]);
  const [detail] = renderDetail("run", "a").map((each) => formatLine(each, { isColoured: false }));
  expect(detail).toBe(`  run${DETAIL_INDENT.slice(5)}a`);
  expect(text("run", undefined)).toEqual([]);
});

test("a name that fills its column, or more, still has a blank behind it", () => {
  expect(text("quarantined", "2026-01-31")).toEqual(["quarantined 2026-01-31"]);
  expect(text("0123456789", "a")).toEqual(["0123456789 a"]);
});
