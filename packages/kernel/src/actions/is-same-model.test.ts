import { expect, test } from "vitest";
import { isSameModel } from "./is-same-model.ts";

test.each([
  ["large", "large"],
  ["large", "large-2026-01-01"],
  ["large", "large-20260101"],
  ["large", "large-0613"],
  ["large-2.0-flash", "large-2.0-flash-001"],
  ["large", "large@20260101"],
  ["large", "large:latest"],
  ["large-latest", "large"],
  ["large-latest", "large-20260101"],
  ["large", "models/large"],
  ["vendor/large", "large-2026-01-01"],
  ["vendor/large", "vendor/large"],
])("%s may answer as %s", (asked, answered) => {
  expect(isSameModel(asked, answered)).toBe(true);
});

test.each([
  ["large", "small"],
  ["large", "large-mini"],
  ["large", "large-mini-2026-01-01"],
  ["large-4", "large-4-5-20260101"],
  ["large-5", "large-5.1-2026-01-01"],
  ["large", "largest"],
  ["large", "large-32k"],
  ["large-2025-01-01", "large-2026-01-01"],
  ["large-2025-01-01", "large"],
  ["vendor/large", "other/large"],
  ["large", ""],
  ["", "large"],
])("%s is not %s", (asked, answered) => {
  expect(isSameModel(asked, answered)).toBe(false);
});
