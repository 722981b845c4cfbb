import { SAMPLE_CONTENTS, sampleEvent } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { measureRuns, OPEN_ACTIONS_MAX, OPEN_TURNS_MAX } from "./measure-runs.ts";

const { turnStarted, turnClosed, unknown } = SAMPLE_CONTENTS;
const { claimedTool, claimedModel, settledTool, settledModel } = SAMPLE_CONTENTS;

function at(seconds: number): { readonly at: string } {
  return { at: new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString() };
}

function measure(events: readonly LoopEvent[]): unknown[] {
  const told: unknown[] = [];
  const note =
    (name: string) =>
    (...said: unknown[]) =>
      void told.push([name, ...said]);
  const measure = measureRuns({
    ...{ onTurn: note("turn"), onStop: note("stop"), onLimit: note("limit") },
    ...{ onAction: note("action"), onUnknown: note("unknown"), onBlocked: note("blocked") },
  });
  for (const event of events) measure(event, { tenant: "acme", loop: "work" });
  return told;
}

const by = { tenant: "acme", loop: "work" };

test("turns, actions and stops are told once, with their names and how long they took", () => {
  const claimed = sampleEvent("action.claimed", claimedTool, { sequence: 7 });
  const spent = { toolCalls: 1, moneyMicros: 5 };
  const settled = { ...settledTool, claim: 7, durationMs: 40, spent };
  const told = measure([
    sampleEvent("turn.started", turnStarted, at(0)),
    claimed,
    sampleEvent("action.settled", settled),
    // Claimed before this fold began: its name is unknown here.
    sampleEvent("action.settled", settled),
    sampleEvent("action.unknown", unknown),
    sampleEvent("run.blocked", { cause: "quarantined", what: "local.pay" }),
    sampleEvent("turn.closed", turnClosed, at(2)),
    sampleEvent("run.stopped", { reason: "goal-reached" }),
  ]);
  const action = {
    ...{ action: "tool", status: "ok", seconds: 0.04 },
    ...{ inputTokens: 0, outputTokens: 0, moneyMicros: 5 },
  };
  const { status, name } = unknown;
  expect(told).toEqual([
    ["action", by, { ...action, name: claimedTool.tool }],
    ["action", by, { ...action, name: undefined }],
    ["unknown", by, { action: "tool", status, name }],
    ["blocked", by, "quarantined"],
    ["turn", by, { outcome: "completed", seconds: 2 }],
    ["stop", by, "goal-reached"],
  ]);
});

test("a model is told with its tokens, and whether its limit could be asked", () => {
  const limit = { name: "large", answer: "away", waitedMs: 250 } as const;
  const spent = { modelCalls: 1, inputTokens: 30, outputTokens: 4, moneyMicros: 9 };
  const failed = { status: "failed", failure: "MODEL_RATE_LIMITED", claim: 3, durationMs: 1 };
  const told = measure([
    sampleEvent("action.claimed", { ...claimedModel, limit }, { sequence: 3 }),
    sampleEvent("action.settled", { ...settledModel, ...failed, spent } as typeof settledModel),
  ]);
  expect(told).toEqual([
    ["limit", by, "away", 0.25],
    [
      "action",
      by,
      {
        ...{ action: "model", name: `${claimedModel.backend}/${claimedModel.model}` },
        ...{ status: "failed", failure: "MODEL_RATE_LIMITED", seconds: 0.001 },
        ...{ inputTokens: 30, outputTokens: 4, moneyMicros: 9 },
      },
    ],
  ]);
});

test("the names of at most OPEN_ACTIONS_MAX actions are remembered, and the oldest goes", () => {
  const claims = Array.from({ length: OPEN_ACTIONS_MAX + 1 }, (_, sequence) =>
    sampleEvent("action.claimed", claimedTool, { sequence }),
  );
  const settled = [0, 1].map((claim) => sampleEvent("action.settled", { ...settledTool, claim }));
  expect(measure([...claims, ...settled])).toMatchObject([
    ["action", by, { name: undefined }],
    ["action", by, { name: claimedTool.tool }],
  ]);
});

test("what a run has cost that another was handed to is not counted twice", () => {
  const { settledHandoff } = SAMPLE_CONTENTS;
  const spent = { handoffs: 1, moneyMicros: 9 };
  const [told] = measure([sampleEvent("action.settled", { ...settledHandoff, spent })]);
  expect(told).toMatchObject(["action", by, { action: "handoff", moneyMicros: 0 }]);
});

test("a turn that waited, or that somebody else began, has no time of ours", () => {
  const waited = [
    sampleEvent("turn.started", turnStarted, at(0)),
    sampleEvent("turn.waiting", { for: "person" }),
  ];
  const closed = sampleEvent("turn.closed", turnClosed, at(9));
  expect(measure([...waited, closed])).toEqual([["turn", by, { outcome: "completed" }]]);
  expect(measure([closed])).toEqual([["turn", by, { outcome: "completed" }]]);
});

test("the begin of at most OPEN_TURNS_MAX turns is remembered, and the oldest goes", () => {
  const turns = Array.from({ length: OPEN_TURNS_MAX + 1 }, (_, index) => index + 1);
  const begun = turns.map((turn) => sampleEvent("turn.started", turnStarted, { ...at(0), turn }));
  const failed = { ...turnClosed, outcome: "failed", reason: "stalled" } as const;
  const closed = turns
    .slice(0, 2)
    .map((turn) => sampleEvent("turn.closed", failed, { ...at(1), turn }));
  expect(measure([...begun, ...closed])).toEqual([
    ["turn", by, { outcome: "failed", reason: "stalled" }],
    ["turn", by, { outcome: "failed", reason: "stalled", seconds: 1 }],
  ]);
});
