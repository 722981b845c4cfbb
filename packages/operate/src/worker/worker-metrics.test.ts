import { SAMPLE_CONTENTS, sampleEvent } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { createWorkerMetrics } from "./worker-metrics.ts";

const { turnStarted, turnClosed, claimedModel, settledModel, unknown } = SAMPLE_CONTENTS;

function at(seconds: number): { readonly at: string } {
  return { at: new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString() };
}

function openMetrics() {
  const metrics = createWorkerMetrics();
  const count = (...events: readonly LoopEvent[]): void => {
    for (const event of events) metrics.observer.onEvent?.(event, { tenant: "acme", loop: "work" });
  };
  return { metrics, count, lines: () => metrics.render().split("\n") };
}

test("what happens is counted by tenant, loop, name and cause", () => {
  const { metrics, count, lines } = openMetrics();
  const limit = { name: "large", answer: "away", waitedMs: 0 } as const;
  const failed = { ...turnClosed, outcome: "failed", reason: "stalled" } as const;
  const spent = { inputTokens: 30, outputTokens: 4, moneyMicros: 9 };
  count(
    sampleEvent("turn.started", turnStarted, at(0)),
    sampleEvent("action.claimed", { ...claimedModel, limit }, { sequence: 5 }),
    sampleEvent("action.settled", { ...settledModel, claim: 5, durationMs: 40, spent }),
    sampleEvent("action.unknown", unknown),
    sampleEvent("run.blocked", { cause: "quarantined", what: "local.pay" }),
    sampleEvent("run.blocked", { cause: "key-ended", what: "key" }),
    sampleEvent("turn.closed", failed, at(2)),
    sampleEvent("run.stopped", { reason: "failed" }),
  );
  metrics.onNotice("warn");
  metrics.onStray();
  metrics.onQueued("acme");
  metrics.onBlocked("loop-missing");
  const model = `${claimedModel.backend}/${claimedModel.model}`;
  expect(lines()).toEqual(
    expect.arrayContaining([
      'turnseal_turns_total{tenant="acme",loop="work",outcome="failed"} 1',
      'turnseal_turn_failures_total{loop="work",outcome="failed",reason="stalled"} 1',
      'turnseal_runs_stopped_total{tenant="acme",loop="work",reason="failed"} 1',
      `turnseal_actions_total{loop="work",action="model",name="${model}",status="ok"} 1`,
      'turnseal_actions_unknown_total{tenant="acme",action="tool",name="local.pay",' +
        `status="${unknown.status}"} 1`,
      'turnseal_tokens_total{tenant="acme",loop="work",kind="input"} 30',
      'turnseal_tokens_total{tenant="acme",loop="work",kind="output"} 4',
      `turnseal_model_tokens_total{name="${model}",kind="input"} 30`,
      'turnseal_money_micros_total{tenant="acme",loop="work"} 9',
      'turnseal_limits_total{tenant="acme",answer="away"} 1',
      'turnseal_runs_quarantined_total{tenant="acme"} 1',
      'turnseal_runs_blocked_total{why="loop-missing"} 1',
      'turnseal_messages_queued_total{tenant="acme"} 1',
      'turnseal_engine_notices_total{level="warn"} 1',
      "turnseal_stray_errors_total 1",
      `turnseal_action_seconds_bucket{action="model",name="${model}",le="0.01"} 0`,
      `turnseal_action_seconds_bucket{action="model",name="${model}",le="0.05"} 1`,
      'turnseal_turn_seconds_bucket{loop="work",le="1"} 0',
      'turnseal_turn_seconds_bucket{loop="work",le="5"} 1',
    ]),
  );
});

test("a failure is counted by what is known of it, and never by the words of a stranger", () => {
  const { count, lines } = openMetrics();
  for (const failure of ["MODEL_RATE_LIMITED", "the customer Ada Lovelace"]) {
    const failed = { status: "failed", failure, claim: 5 } as const;
    count(
      sampleEvent("action.claimed", claimedModel, { sequence: 5 }),
      sampleEvent("action.settled", { ...settledModel, ...failed } as typeof settledModel),
    );
  }
  const text = lines().join("\n");
  const model = `${claimedModel.backend}/${claimedModel.model}`;
  for (const cause of ["MODEL_RATE_LIMITED", "failed"])
    expect(text).toContain(
      `turnseal_action_failures_total{action="model",name="${model}",cause="${cause}"} 1`,
    );
  expect(text).not.toContain("Lovelace");
});

test("a turn that waited for somebody is counted, and its time is not", () => {
  const { count, lines } = openMetrics();
  count(
    sampleEvent("turn.started", turnStarted, at(0)),
    sampleEvent("turn.waiting", { for: "person" }),
    sampleEvent("turn.closed", turnClosed, at(1_000_000)),
  );
  const text = lines().join("\n");
  expect(text).toContain('turnseal_turns_total{tenant="acme",loop="work",outcome="completed"} 1\n');
  expect(text).not.toContain("turnseal_turn_seconds_count");
  expect(text).not.toContain("turnseal_turn_failures_total{");
});
