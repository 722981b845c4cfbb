import { SAMPLE_CONTENTS, type SamplePlace, sampleEvent } from "@turnseal/ports";
import type { ContentOf, LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { type FlowSummary, followFlows, ITEMS_NAMED_MAX, PLACES_MAX } from "./follow-flows.ts";

const here: SamplePlace = { call: "c" };

function follow(events: readonly LoopEvent[]): FlowSummary | undefined {
  const fold = followFlows();
  events.forEach(fold.take);
  return fold.summarize();
}

const started = (loop: string): LoopEvent =>
  sampleEvent("call.started", { ...SAMPLE_CONTENTS.callStarted, loop }, here);
const fixed = (path: string, items: number): LoopEvent =>
  sampleEvent("fanout.fixed", { path, items }, here);
const closed = (content: ContentOf<"item.closed">): LoopEvent =>
  sampleEvent("item.closed", content, here);

test("a run without flows has none", () => {
  expect(follow([started("greet")])).toBe(undefined);
});

test("the items of a fan-out are counted by how they ended, and failed ones are named", () => {
  const path = "/flow/nodes/1";
  const ends = Array.from({ length: 200 }, (_, index): LoopEvent => {
    if (index % 50 === 3) return closed({ path, index, status: "error", code: "TOOL_FAILED" });
    if (index === 7) return closed({ path, index, status: "error", code: "TIMEOUT" });
    return closed({ path, index, status: index > 197 ? "withdrawn" : "ok" });
  });
  expect(follow([started("triage"), fixed(path, 202), ...ends])).toEqual({
    fanOuts: [
      {
        ...{ loop: "triage", path, times: 1, items: 202 },
        ...{ ok: 193, failed: 5, withdrawn: 2, open: 2 },
        failures: [
          { code: "TOOL_FAILED", count: 4, items: [3, 53, 103, 153] },
          { code: "TIMEOUT", count: 1, items: [7] },
        ],
      },
    ],
    retried: [],
    skipped: [],
  });
});

test("of items that failed alike ITEMS_NAMED_MAX are named and no more", () => {
  const failed = Array.from({ length: ITEMS_NAMED_MAX + 1 }, (_, index) =>
    closed({ path: "/flow", index, status: "error", code: "TOOL_FAILED" }),
  );
  expect(follow(failed.slice(1))?.fanOuts[0]?.failures[0]?.items).toHaveLength(ITEMS_NAMED_MAX);
  const [all] = follow(failed)?.fanOuts[0]?.failures ?? [];
  expect(all).toMatchObject({ count: ITEMS_NAMED_MAX + 1, items: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] });
});

test("what runs in every round, item and visit is one place", () => {
  const inner = (round: number) => `/flow/items/${round}/nodes/0/rounds/${round}/visits/2/body`;
  const summary = follow([
    started("triage"),
    ...[0, 1, 2].flatMap((round) => [
      fixed(inner(round), 2),
      closed({ path: inner(round), index: 0, status: "ok" }),
      sampleEvent(
        "step.retried",
        { path: `${inner(round)}/items/1`, attempt: 2, delayMs: 0, code: "TIMEOUT" },
        here,
      ),
    ]),
  ]);
  expect(summary?.fanOuts).toMatchObject([
    { path: "/flow/items/*/nodes/0/rounds/*/visits/*/body", times: 3, items: 6, ok: 3, open: 3 },
  ]);
  expect(summary?.retried).toEqual([
    {
      loop: "triage",
      path: "/flow/items/*/nodes/0/rounds/*/visits/*/body/items/*",
      code: "TIMEOUT",
      count: 3,
    },
  ]);
});

test("skips are told apart by their reason, and places by their loop", () => {
  const skip = (content: ContentOf<"step.skipped">): LoopEvent =>
    sampleEvent("step.skipped", content, here);
  const summary = follow([
    started("one"),
    skip({ path: "/flow/nodes/0", because: "condition" }),
    skip({ path: "/flow/nodes/0", because: "failed", code: "TOOL_FAILED" }),
    skip({ path: "/flow/nodes/0", because: "condition" }),
    sampleEvent("call.completed", { durationMs: 1 }, here),
    started("other"),
    skip({ path: "/flow/nodes/0", because: "condition" }),
  ]);
  expect(summary?.skipped).toEqual([
    { loop: "one", path: "/flow/nodes/0", because: "condition", count: 2 },
    { loop: "one", path: "/flow/nodes/0", because: "failed", code: "TOOL_FAILED", count: 1 },
    { loop: "other", path: "/flow/nodes/0", because: "condition", count: 1 },
  ]);
});

test("PLACES_MAX places are counted and no more", () => {
  const many = (length: number) =>
    Array.from({ length }, (_, at) => [
      fixed(`/flow/nodes/${at}`, 1),
      sampleEvent("step.skipped", { path: `/flow/nodes/${at}`, because: "condition" }, here),
    ]).flat();
  for (const extra of [0, 1]) {
    const summary = follow(many(PLACES_MAX + extra));
    expect(summary?.fanOuts).toHaveLength(PLACES_MAX);
    expect(summary?.skipped).toHaveLength(PLACES_MAX);
  }
});

test("items of two calls at one place are kept apart", () => {
  const path = "/flow/nodes/1";
  const claimed = (call: string): LoopEvent =>
    sampleEvent(
      "action.claimed",
      { ...SAMPLE_CONTENTS.claimedHandoff, key: `key-${call}`, item: { path, index: 0 } },
      { call },
    );
  const settled = (call: string): LoopEvent =>
    sampleEvent(
      "action.settled",
      { ...SAMPLE_CONTENTS.settledHandoff, key: `key-${call}` },
      { call },
    );
  const events = ["a", "b"].map(
    (call): LoopEvent => sampleEvent("fanout.fixed", { path, items: 1 }, { call }),
  );
  events.push(claimed("a"), claimed("b"));
  events.push(sampleEvent("item.closed", { path, index: 0, status: "withdrawn" }, { call: "a" }));
  events.push(settled("b"));
  expect(follow(events)?.fanOuts).toMatchObject([{ items: 2, ok: 1, withdrawn: 1, open: 0 }]);
});
