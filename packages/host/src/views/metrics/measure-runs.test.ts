import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { measureRuns, OPEN_TURNS_MAX } from "./measure-runs.ts";

const event = (type: string, content: object, seconds = 0, turn = 1): LoopEvent => {
  const at = new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString();
  return { type, run: "r", turn, sequence: 1, content, at } as never;
};

function measure(events: readonly LoopEvent[]): unknown[] {
  const told: unknown[] = [];
  const note =
    (name: string) =>
    (...said: unknown[]) =>
      void told.push([name, ...said]);
  events.forEach(
    measureRuns({
      ...{ onTurn: note("turn"), onStop: note("stop") },
      ...{ onAction: note("action"), onUnknown: note("unknown") },
    }),
  );
  return told;
}

test("turns, actions and stops are told once, with how long they took", () => {
  const told = measure([
    event("turn.started", {}),
    event("action.settled", { action: "tool", status: "ok", durationMs: 40 }),
    event("action.unknown", { action: "tool" }),
    event("turn.closed", { outcome: "completed" }, 2),
    event("run.stopped", { reason: "goal-reached" }, 2),
  ]);
  expect(told).toEqual([
    ["action", "tool", "ok", 0.04],
    ["unknown", "tool"],
    ["turn", "completed", 2],
    ["stop", "goal-reached"],
  ]);
});

test("a turn that waited, or that somebody else began, has no time of ours", () => {
  const waited = [event("turn.started", {}), event("turn.waiting", { for: "person" })];
  const closed = event("turn.closed", { outcome: "completed" }, 9);
  expect(measure([...waited, closed])).toEqual([["turn", "completed", undefined]]);
  expect(measure([closed])).toEqual([["turn", "completed", undefined]]);
});

test("the begin of at most OPEN_TURNS_MAX turns is remembered", () => {
  const turns = Array.from({ length: OPEN_TURNS_MAX + 1 }, (_, index) => index + 1);
  const begun = turns.map((turn) => event("turn.started", {}, 0, turn));
  const closed = turns
    .slice(-2)
    .map((turn) => event("turn.closed", { outcome: "failed" }, 1, turn));
  expect(measure([...begun, ...closed])).toEqual([
    ["turn", "failed", 1],
    ["turn", "failed", undefined],
  ]);
});
