import type { PromptSpec } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { SUMMARY_SHARE_MIN, THREAD_ENTRIES_MAX } from "../limits.ts";
import { checkContext } from "./check-context.ts";
import { createReport } from "./report.ts";

function listProblems(fields: Partial<PromptSpec>): string[] {
  const report = createReport();
  checkContext({ template: "Go", variables: [], ...fields }, report);
  return report.problems.map(({ rule, path }) => `${rule} ${path}`);
}

test.each<[Partial<PromptSpec>]>([
  [{}],
  [{ thread: false }],
  [{ context: { strategy: "flat" } }],
  [{ context: { strategy: "flat", last: 1 } }],
  [{ context: { strategy: "none" }, thread: "notes" }],
  [{ context: { strategy: "summary" } }],
  [{ context: { strategy: "summary", share: 1, summarizer: { loopId: "short" } } }],
])("%j is a context that a prompt can have", (fields) => {
  expect(listProblems(fields)).toEqual([]);
});

test.each<[Partial<PromptSpec>, string]>([
  [{ thread: false, context: { strategy: "flat" } }, "setting-unfit /prompt/context"],
  [{ context: { strategy: "none", last: 5 } }, "setting-unfit /prompt/context/last"],
  [{ context: { strategy: "summary", last: 5 } }, "setting-unfit /prompt/context/last"],
  [{ context: { strategy: "flat", share: 0.5 } }, "setting-unfit /prompt/context/share"],
  [
    { context: { strategy: "none", summarizer: { loopId: "short" } } },
    "setting-unfit /prompt/context/summarizer",
  ],
])("%j is refused", (fields, problem) => {
  expect(listProblems(fields)).toEqual([problem]);
});

test("of a thread THREAD_ENTRIES_MAX entries may be asked for, and not one more", () => {
  const asked = (last: number) => listProblems({ context: { strategy: "flat", last } });
  expect(asked(THREAD_ENTRIES_MAX)).toEqual([]);
  expect(asked(THREAD_ENTRIES_MAX + 1)).toEqual(["field-type /prompt/context/last"]);
});

test("entries are summarised from SUMMARY_SHARE_MIN of the window on, and not from less", () => {
  const asked = (share: number) => listProblems({ context: { strategy: "summary", share } });
  expect(asked(SUMMARY_SHARE_MIN)).toEqual([]);
  for (const share of [SUMMARY_SHARE_MIN - 0.001, 1.001, 0, -1])
    expect(asked(share), String(share)).toEqual(["field-type /prompt/context/share"]);
});
