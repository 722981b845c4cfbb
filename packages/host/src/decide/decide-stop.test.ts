import {
  type ClosedTurn,
  emptyProjection,
  type RunProjection,
  type UnknownEnd,
} from "@turnseal/folds";
import type { RunBounds, RunSpec } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { decideStop, type StopFacts } from "./decide-stop.ts";

const bounds: RunBounds = { turnsMax: 3, failuresMax: 2, resumesMax: 2 };
const spec: RunSpec = {
  loop: "a",
  version: "1.0.0",
  grant: { grantor: "me", tools: [], budget: {} },
  bounds,
  pinned: {},
};
const closed: ClosedTurn = {
  turn: 1,
  outcome: "completed",
  reason: null,
  unit: null,
  output: null,
  isDecided: false,
};

function decide(run: Partial<RunProjection>, facts: Partial<StopFacts> = {}): string {
  const decision = decideStop(
    { ...emptyProjection("r"), spec, ...run },
    { nowMs: 0, isGoalReached: false, hasReceipt: true, ...facts },
  );
  return `${decision.kind} ${decision.reason}`;
}

test("a run that has done nothing begins its first turn", () => {
  expect(decide({})).toBe("continue first-turn");
});

test("a run without a spec may do nothing", () => {
  expect(decide({ spec: null })).toBe("stop denied");
});

test("a run goes on until its goal is reached", () => {
  const run = { turns: 1, lastTurn: closed };
  expect(decide(run)).toBe("continue goal-not-reached");
  expect(decide(run, { isGoalReached: true })).toBe("stop goal-reached");
});

test("a missing receipt comes before everything else", () => {
  const run = { turns: 1, lastTurn: closed };
  expect(decide(run, { hasReceipt: false, isGoalReached: true })).toBe("stop receipt-missing");
  expect(decide({}, { hasReceipt: false })).toBe("continue first-turn");
});

test.each([
  ["drifted", { outcome: "failed", reason: "drifted" }],
  ["stalled", { outcome: "failed", reason: "stalled" }],
  ["drifted", { outcome: "unknown", reason: "drifted" }],
  ["effect-unknown", { outcome: "unknown", reason: "CANCELLED" }],
  ["effect-unknown", { outcome: "unknown", reason: "TIMEOUT" }],
  ["denied", { outcome: "denied", reason: "POLICY_DENIED" }],
  ["cancelled", { outcome: "cancelled", reason: "CANCELLED" }],
  ["rounds-exhausted", { outcome: "failed", reason: "BUDGET_EXCEEDED", unit: "rounds" }],
  ["budget-exhausted", { outcome: "failed", reason: "BUDGET_EXCEEDED", unit: "effects" }],
  ["budget-exhausted", { outcome: "failed", reason: "BUDGET_EXCEEDED", unit: null }],
] as const)("stops as %s after a turn that ended so: %o", (reason, turn) => {
  const run = { turns: 1, failures: 1, lastTurn: { ...closed, ...turn } };
  expect(decide(run)).toBe(`stop ${reason}`);
});

test("a failed turn is tried again until failuresMax of them stand in a row", () => {
  const lastTurn = { ...closed, outcome: "failed", reason: "TOOL_FAILED" } as const;
  expect(decide({ turns: 1, failures: 1, lastTurn })).toBe("continue retry-after-failure");
  expect(decide({ turns: 2, failures: 2, lastTurn })).toBe("stop failed");
});

const left: UnknownEnd = {
  ...{ turn: 1, key: "k", claim: 5, hash: "h", name: "local.pay", effect: "once" },
  ...{ role: null, excluded: [], deadlineAt: "2026-01-01T00:00:00.000Z" },
};

test("a turn that left an effect open is not tried again", () => {
  const lastTurn = { ...closed, outcome: "failed", reason: "CHILD_FAILED" } as const;
  const run = { turns: 1, failures: 1, lastTurn, unknownEnds: [left] };
  expect(decide(run)).toBe("stop effect-unknown");
  expect(decide({ ...run, failures: 2 })).toBe("stop failed");
  expect(decide({ ...run, turns: 3 })).toBe("stop turns-exhausted");
  const denied = { ...closed, outcome: "denied", reason: "POLICY_DENIED" } as const;
  expect(decide({ ...run, lastTurn: denied })).toBe("stop denied");
});

test("an effect that an earlier turn, or one that completed, left open stops nothing", () => {
  const failed = { ...closed, turn: 2, outcome: "failed", reason: "CHILD_FAILED" } as const;
  const run = { turns: 2, failures: 1, lastTurn: failed, unknownEnds: [left] };
  expect(decide(run)).toBe("continue retry-after-failure");
  expect(decide({ turns: 1, lastTurn: closed, unknownEnds: [left] })).toBe(
    "continue goal-not-reached",
  );
});

test("a failed turn is tried again no earlier than its provider asked", () => {
  const lastTurn = { ...closed, outcome: "failed", reason: "BACKEND_FAILED" } as const;
  const asked = { ...lastTurn, retryAt: new Date(5_000).toISOString() };
  const run = { turns: 1, failures: 1, lastTurn: asked };
  expect(decide(run, { nowMs: 4_999 })).toBe("wait retry-later");
  expect(decide(run, { nowMs: 5_000 })).toBe("continue retry-after-failure");
  expect(decide({ ...run, isCancelled: true }, { nowMs: 4_999 })).toBe("stop cancelled");
  expect(decide({ ...run, failures: 2 }, { nowMs: 4_999 })).toBe("stop failed");
});

test("turnsMax turns are made, and not one more", () => {
  expect(decide({ turns: 2, lastTurn: closed })).toBe("continue goal-not-reached");
  expect(decide({ turns: 3, lastTurn: closed })).toBe("stop turns-exhausted");
});

test("the budget for turns is its own reason", () => {
  const grant = { ...spec.grant, budget: { turns: 2 } };
  expect(decide({ turns: 1, lastTurn: closed, spec: { ...spec, grant } })).toContain("continue");
  expect(decide({ turns: 2, lastTurn: closed, spec: { ...spec, grant } })).toBe(
    "stop budget-exhausted",
  );
});

test("no turn starts from the deadline on", () => {
  const deadlineAt = "2026-01-01T00:00:00.000Z";
  const late = { ...spec, bounds: { ...bounds, deadlineAt } };
  const nowMs = Date.parse(deadlineAt);
  expect(decide({ spec: late }, { nowMs: nowMs - 1 })).toBe("continue first-turn");
  expect(decide({ spec: late }, { nowMs })).toBe("stop deadline-passed");
});

test("a cancel stops a run, unless it has reached its goal", () => {
  const run = { turns: 1, lastTurn: closed, isCancelled: true };
  expect(decide(run)).toBe("stop cancelled");
  expect(decide(run, { isGoalReached: true })).toBe("stop goal-reached");
});
