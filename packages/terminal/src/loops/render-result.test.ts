import { CALL_ERROR_CODES, type CallErrorCode, callError } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { formatLine } from "../screen/line.ts";
import { RESULT_PROBLEMS_MAX, renderFailure } from "./render-result.ts";

function render(code: CallErrorCode, details = {}, reason?: string): string[] {
  const error = { ...callError(code, "it failed", details), ...(reason && { reason }) };
  const at = "2026-01-01T00:00:00.000Z";
  const frame = { callId: "c", loopId: "greet", startedAt: at, endedAt: at, durationMs: 0 };
  const lines = renderFailure({ ...frame, trace: [], status: "error", error }, undefined);
  return lines.map((rendered) => formatLine(rendered, { isColoured: false }));
}

test.each(CALL_ERROR_CODES)("%s names itself and what to try next", (code) => {
  const lines = render(code);
  expect(lines[0]).toBe(`${code}  it failed`);
  expect(lines.at(-1)).toMatch(/^ {2}next: \S/);
});

test("the words of a tool are shown, and cannot act", () => {
  expect(render("TOOL_FAILED", {}, "no\u001b[2J\nluck")[1]).toBe("  reason: no\\u001b[2J\\nluck");
});

test("RESULT_PROBLEMS_MAX problems are shown, and one more is counted", () => {
  const problems = Array.from({ length: RESULT_PROBLEMS_MAX }, (_, index) => `/${index}: wrong`);
  expect(render("INPUT_VALIDATION_FAILED", { problems })).toHaveLength(RESULT_PROBLEMS_MAX + 2);
  const more = render("INPUT_VALIDATION_FAILED", { problems: [...problems, "/x: wrong"] });
  expect(more).toContain("  and 1 more");
  expect(more).not.toContain("  /x: wrong");
});
