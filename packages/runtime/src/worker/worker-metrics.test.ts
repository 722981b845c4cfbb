import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { createWorkerMetrics } from "./worker-metrics.ts";

const event = (type: string, content: object, seconds = 0, turn = 1): LoopEvent => {
  const at = new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();
  return { type, run: "r", turn, sequence: 1, content, at } as never;
};

test("turns, actions and stops are counted, with how long they took", () => {
  const metrics = createWorkerMetrics();
  metrics.onEvent(event("turn.started", {}));
  metrics.onEvent(event("action.settled", { action: "tool", status: "ok", durationMs: 40 }));
  metrics.onEvent(event("action.unknown", { action: "tool" }));
  metrics.onEvent(event("turn.closed", { outcome: "completed" }, 2));
  metrics.onEvent(event("run.stopped", { reason: "goal-reached" }, 2));
  metrics.onNotice("warn");
  const lines = metrics.render({ turnseal_slots_in_use: 3 }).split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      'turnseal_turns_total{outcome="completed"} 1',
      'turnseal_runs_stopped_total{reason="goal-reached"} 1',
      'turnseal_actions_total{action="tool",status="ok"} 1',
      'turnseal_actions_unknown_total{action="tool"} 1',
      'turnseal_engine_notices_total{level="warn"} 1',
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
  metrics.onEvent(event("turn.started", {}));
  metrics.onEvent(event("turn.waiting", { for: "person" }));
  metrics.onEvent(event("turn.closed", { outcome: "completed" }, 1_000_000));
  const text = metrics.render({});
  expect(text).toContain('turnseal_turns_total{outcome="completed"} 1\n');
  expect(text).not.toContain("turnseal_turn_seconds_count");
});

test("a label cannot break out of its line", () => {
  const metrics = createWorkerMetrics();
  metrics.onEvent(event("run.stopped", { reason: 'x"} 1\nfake_total 9' }));
  expect(metrics.render({})).not.toMatch(/^fake_total/m);
});
