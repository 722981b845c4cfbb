import { STOP_REASONS } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { adviseAfter, explainReason } from "./explain-reason.ts";

test("every reason to stop is explained, each in its own words", () => {
  const sentences = STOP_REASONS.map(explainReason);
  expect(new Set(sentences).size).toBe(STOP_REASONS.length);
  expect(sentences.filter((sentence) => !sentence.includes(" "))).toEqual([]);
});

test("what is not a reason is shown as it is", () => {
  expect(explainReason("toString")).toBe("toString");
});

test("of a setting that ended a run it is said where to raise it", () => {
  expect(adviseAfter("rounds-exhausted")).toContain("maxRounds of the prompt (4 unless");
  expect(adviseAfter("turns-exhausted")).toContain("--turns-max");
  expect(adviseAfter("cancelled")).toBeUndefined();
  expect(adviseAfter("toString")).toBeUndefined();
});
