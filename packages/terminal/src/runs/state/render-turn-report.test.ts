import { expect, test } from "vitest";
import { formatLine } from "../../screen/line.ts";
import { renderCause } from "./render-turn-report.ts";

function show(given: Parameters<typeof renderCause>[0]): string {
  return renderCause(given)
    .map((each) => formatLine(each, { isColoured: false }))
    .join("\n");
}

test("an answer outside the schema is a cause, with what to do about it", () => {
  const shown = show({ reason: "OUTPUT_VALIDATION_FAILED" });
  expect(shown).toContain("an answer does not fit the output schema of its loop");
  expect(shown).toContain("set outputRepairs of the prompt to 1");
});

test("a failure of the provider is named before that", () => {
  const cause = { model: "openai/m", failure: "MODEL_UNREACHABLE" };
  const shown = show({ cause, reason: "OUTPUT_VALIDATION_FAILED" });
  expect(shown).toContain("openai/m: MODEL_UNREACHABLE");
  expect(shown).not.toContain("outputRepairs");
});

test.each([null, "TOOL_FAILED", "constructor", "__proto__"])("%s has no such cause", (reason) => {
  expect(show({ reason })).toBe("");
});
