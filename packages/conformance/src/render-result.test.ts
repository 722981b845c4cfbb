import { describe, expect, test } from "vitest";
import { renderCaseResult, renderSummary } from "./render-result.ts";

describe("the report", () => {
  test("has one line for a passed case", () => {
    expect(renderCaseResult({ name: "a/b", problems: [] })).toBe("ok      a/b");
  });

  test("says below a failed case what is wrong, and how much more there is", () => {
    expect(renderCaseResult({ name: "a/b", problems: ["one", "two"] })).toBe(
      "FAILED  a/b\n          one\n          two",
    );
    expect(renderCaseResult({ name: "a/b", problems: ["1", "2", "3", "4", "5"] })).toMatch(
      /3\n {10}and 2 more$/,
    );
  });

  test("ends with the counts", () => {
    expect(renderSummary({ results: [], passed: 3, failed: 1 })).toBe("3 passed, 1 failed");
  });
});
