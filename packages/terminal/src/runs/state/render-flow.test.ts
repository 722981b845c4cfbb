import type { FanOutCount } from "@turnseal/views";
import { expect, test } from "vitest";
import { describeFlow } from "./render-flow.ts";

const fanOut: FanOutCount = {
  ...{ loop: "triage", path: "/flow/nodes/1", times: 1, items: 12 },
  ...{ ok: 12, failed: 0, withdrawn: 0, open: 0, failures: [] },
};

function describe(changes: Partial<FanOutCount>): string[] {
  return describeFlow({ fanOuts: [{ ...fanOut, ...changes }], retried: [], skipped: [] });
}

test.each<[string, Partial<FanOutCount>, string]>([
  ["all are well", {}, "12 items: 12 ok"],
  ["there are none", { items: 0, ok: 0 }, "0 items"],
  ["none has ended", { ok: 0, open: 12 }, "12 items: 12 not ended"],
  [
    "some fail and some are withdrawn",
    {
      ...{ ok: 8, failed: 3, withdrawn: 1 },
      failures: [
        { code: "TOOL_FAILED", count: 2, items: [3, 7] },
        { code: "TIMEOUT", count: 1, items: [4] },
      ],
    },
    "12 items: 8 ok, 3 failed (items 3, 7: TOOL_FAILED; item 4: TIMEOUT), 1 withdrawn",
  ],
  [
    "more fail than are named",
    { ok: 0, failed: 12, failures: [{ code: "TIMEOUT", count: 12, items: [0, 1] }] },
    "12 items: 12 failed (items 0, 1 …: TIMEOUT)",
  ],
  [
    "it ran several times: a number would not say which item",
    { times: 2, ok: 11, failed: 1, failures: [{ code: "TIMEOUT", count: 1, items: [5] }] },
    "12 items in 2 fan-outs: 11 ok, 1 failed (TIMEOUT ×1)",
  ],
])("a fan-out is one line: %s", (_, changes, words) => {
  expect(describe(changes)).toEqual([`triage /flow/nodes/1: ${words}`]);
});

test("tries and skips are told by their place", () => {
  const place = { loop: "triage", path: "/flow/nodes/1/items/*" };
  expect(
    describeFlow({
      fanOuts: [],
      retried: [
        { ...place, code: "TIMEOUT", count: 5 },
        { ...place, code: "TOOL_FAILED", count: 1 },
      ],
      skipped: [
        { ...place, because: "condition", count: 1 },
        { ...place, because: "failed", code: "TOOL_FAILED", count: 2 },
        { ...place, loop: "", because: "blocked", count: 3 },
      ],
    }),
  ).toEqual([
    "triage /flow/nodes/1/items/*: tried again 5 times, TIMEOUT",
    "triage /flow/nodes/1/items/*: tried again 1 time, TOOL_FAILED",
    "triage /flow/nodes/1/items/*: skipped, its condition did not hold",
    "triage /flow/nodes/1/items/*: skipped 2 times, it failed, TOOL_FAILED",
    "/flow/nodes/1/items/*: skipped 3 times, what it reads was skipped",
  ]);
});
