import { describe, expect, test } from "vitest";
import { GUIDANCE_BYTES_MAX } from "./guidance.ts";
import { pinGuidance } from "./pin-guidance.ts";
import { SUMMARY_LENGTH_MAX, summarizeTurn } from "./summarize-turn.ts";

describe("the summary of a turn", () => {
  test("says how it ended and what it gave, in one line each", () => {
    const output = { note: "two\nlines", amount: 3 };
    expect(summarizeTurn({ turn: 2, outcome: "completed", output })).toEqual({
      ref: "turns/2",
      text: 'turn 2: completed\noutput: {"amount":3,"note":"two\\nlines"}',
    });
    expect(summarizeTurn({ turn: 3, outcome: "failed", reason: "TOOL_FAILED" }).text).toBe(
      "turn 3: failed, TOOL_FAILED",
    );
  });

  test("an output of the greatest length is whole, a longer one is cut", () => {
    const ofLength = (length: number) =>
      summarizeTurn({ turn: 1, outcome: "completed", output: "x".repeat(length - 2) }).text;
    expect(ofLength(SUMMARY_LENGTH_MAX)).toMatch(/x"$/);
    expect(ofLength(SUMMARY_LENGTH_MAX + 1)).toMatch(/x \[cut\]$/);
    const longest = ofLength(SUMMARY_LENGTH_MAX * 20);
    expect(longest.length).toBe(SUMMARY_LENGTH_MAX + 32);
  });

  test("is always a document that may be given", () => {
    const output = `${"😀".repeat(SUMMARY_LENGTH_MAX)}`;
    const document = summarizeTurn({ turn: 1, outcome: "completed", output });
    expect(pinGuidance([document]).kind).toBe("pinned");
    expect(new TextEncoder().encode(document.text).length).toBeLessThan(GUIDANCE_BYTES_MAX);
  });
});
