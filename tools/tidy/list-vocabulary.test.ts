import { expect, test } from "vitest";
import { listVocabulary } from "./list-vocabulary.ts";

const tree = new Map([
  [
    "packages/a/src/event-types.ts",
    `export const LOG_EVENT_TYPES = ["call.started", "run.started"] as const;`,
  ],
  ["packages/a/src/trace.ts", `export const TRACE_EVENT_TYPES = ["call.tool.invoked"] as const;`],
  ["packages/a/src/emit.ts", `record({ type: "call.started" }); const text = "run.stopped";`],
  ["packages/a/src/emit.test.ts", `record({ type: "run.started" });`],
  ["packages/a/src/codes.ts", `export const X_CODES = ["X_BROKEN"] as const;\nconst Y_MAX = 1;`],
  ["packages/a/src/union.ts", `export type YErrorCode = "Y_GONE" | "Y_LATE";`],
  ["packages/a/src/bug.ts", `class Bug extends LoopError<"PROMISE_BROKEN"> {}`],
  ["packages/a/src/rules.ts", `export const SOME_RULES = ["field-missing"] as const;`],
  ["apps/b/src/limits.ts", `export const DEPTH_MAX = 32;\nexport const WAIT_MS_DEFAULT = 5;`],
  ["tools/x.ts", "export const TOOL_MAX = 1;"],
]);

test("codes come from lists, unions and error classes", () => {
  expect(listVocabulary(tree).errorCodes).toEqual([
    "PROMISE_BROKEN",
    "X_BROKEN",
    "Y_GONE",
    "Y_LATE",
  ]);
});

test("rules come from lists", () => {
  expect(listVocabulary(tree).problemRules).toEqual(["field-missing"]);
});

test("a native event type counts once the code uses it, a trace type always", () => {
  expect(listVocabulary(tree).eventTypes).toEqual(["call.started", "call.tool.invoked"]);
});

test("a limit counts when it is exported from a package or an app", () => {
  expect(listVocabulary(tree).limits).toEqual(["DEPTH_MAX", "WAIT_MS_DEFAULT"]);
});
