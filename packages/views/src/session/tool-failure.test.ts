import fc from "fast-check";
import { expect, test } from "vitest";
import { formatToolFailure, parseToolFailure } from "./tool-failure.ts";

test.each([
  [{ error: "TOOL_UNKNOWN" }, "TOOL_UNKNOWN"],
  [{ error: "TIMEOUT", problems: [] }, "TIMEOUT"],
  [{ error: "TOOL_FAILED", problems: [], reason: "no disk" }, "TOOL_FAILED: no disk"],
  [{ error: "X", problems: ["/a is one", "/b"] }, "X\n- /a is one\n- /b"],
  [{ error: "X", problems: ["/a"], reason: "r" }, "X\n- /a\n\nr"],
])("%j is written %j, and read back", (told, text) => {
  expect(formatToolFailure(told)).toBe(text);
  expect(parseToolFailure(text)).toEqual(told);
});

test("whatever the words of a failure are, they are read back", () => {
  const told = fc.record(
    {
      error: fc.constantFrom("TOOL_FAILED", "INPUT_VALIDATION_FAILED"),
      problems: fc.array(fc.string({ unit: fc.constantFrom("a", "\n", "-", " ", ":") }), {
        maxLength: 3,
      }),
      reason: fc.string({ unit: fc.constantFrom("b", "\n", "-", " ", ":") }),
    },
    { requiredKeys: ["error", "problems"] },
  );
  fc.assert(
    fc.property(told, (given) => {
      expect(parseToolFailure(formatToolFailure(given))).toEqual(given);
    }),
  );
});

test("what says nothing of a failure is one all the same", () => {
  for (const told of [undefined, null, 7, [], {}, { error: 7 }])
    expect(formatToolFailure(told)).toBe("TOOL_FAILED");
  expect(parseToolFailure("some words")).toEqual({ error: "some words" });
});
