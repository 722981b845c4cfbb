import { SAMPLE_CONTENTS, sampleEvent } from "@turnseal/ports";
import { expect, test } from "vitest";
import { createWorkerMetrics } from "./worker-metrics.ts";

const { turnStarted, turnClosed, settledTool, unknown } = SAMPLE_CONTENTS;

function at(seconds: number): { readonly at: string } {
  return { at: new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString() };
}

test("turns, actions and stops are counted, with how long they took", () => {
  const metrics = createWorkerMetrics();
  metrics.onEvent(sampleEvent("turn.started", turnStarted, at(0)));
  metrics.onEvent(sampleEvent("action.settled", { ...settledTool, durationMs: 40 }));
  metrics.onEvent(sampleEvent("action.unknown", unknown));
  metrics.onEvent(sampleEvent("turn.closed", turnClosed, at(2)));
  metrics.onEvent(sampleEvent("run.stopped", { reason: "goal-reached" }));
  metrics.onNotice("warn");
  metrics.onStray();
  const lines = metrics.render({ turnseal_slots_in_use: 3 }).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      'turnseal_turns_total{outcome="completed"} 1',
      'turnseal_runs_stopped_total{reason="goal-reached"} 1',
      'turnseal_actions_total{action="tool",status="ok"} 1',
      'turnseal_actions_unknown_total{action="tool"} 1',
      'turnseal_engine_notices_total{level="warn"} 1',
      "turnseal_stray_errors_total 1",
      'turnseal_action_seconds_bucket{action="tool",le="0.01"} 0',
      'turnseal_action_seconds_bucket{action="tool",le="0.05"} 1',
      'turnseal_action_seconds_bucket{action="tool",le="+Inf"} 1',
      'turnseal_action_seconds_sum{action="tool"} 0.04',
      'turnseal_turn_seconds_bucket{le="1"} 0',
      'turnseal_turn_seconds_bucket{le="5"} 1',
      "turnseal_turn_seconds_count 1",
      "turnseal_slots_in_use 3",
    ]),
  );
});

test("a turn that waited for somebody is counted, and its time is not", () => {
  const metrics = createWorkerMetrics();
  metrics.onEvent(sampleEvent("turn.started", turnStarted, at(0)));
  metrics.onEvent(sampleEvent("turn.waiting", { for: "person" }));
  metrics.onEvent(sampleEvent("turn.closed", turnClosed, at(1_000_000)));
  const text = metrics.render({});
  expect(text).toContain('turnseal_turns_total{outcome="completed"} 1\n');
  expect(text).not.toContain("turnseal_turn_seconds_count");
});

test("a label cannot break out of its line", () => {
  const metrics = createWorkerMetrics();
  // No log of ours has it: a store that was tampered with may.
  const reason = 'x"} 1\nfake_total 9' as "cancelled";
  metrics.onEvent(sampleEvent("run.stopped", { reason }));
  expect(metrics.render({})).not.toMatch(/^fake_total/m);
});
