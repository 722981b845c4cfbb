import { SAMPLE_CONTENTS, sampleEvent } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { measureRuns, OPEN_TURNS_MAX } from "./measure-runs.ts";

const { turnStarted, turnClosed, settledTool, unknown } = SAMPLE_CONTENTS;

function at(seconds: number): { readonly at: string } {
  return { at: new Date(Date.UTC(2026, 0, 1) + seconds * 1_000).toISOString() };
}

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
    sampleEvent("turn.started", turnStarted, at(0)),
    sampleEvent("action.settled", { ...settledTool, durationMs: 40 }),
    sampleEvent("action.unknown", unknown),
    sampleEvent("turn.closed", turnClosed, at(2)),
    sampleEvent("run.stopped", { reason: "goal-reached" }),
  ]);
  expect(told).toEqual([
    ["action", "tool", "ok", 0.04],
    ["unknown", "tool"],
    ["turn", "completed", 2],
    ["stop", "goal-reached"],
  ]);
});

test("a turn that waited, or that somebody else began, has no time of ours", () => {
  const waited = [
    sampleEvent("turn.started", turnStarted, at(0)),
    sampleEvent("turn.waiting", { for: "person" }),
  ];
  const closed = sampleEvent("turn.closed", turnClosed, at(9));
  expect(measure([...waited, closed])).toEqual([["turn", "completed", undefined]]);
  expect(measure([closed])).toEqual([["turn", "completed", undefined]]);
});

test("the begin of at most OPEN_TURNS_MAX turns is remembered", () => {
  const turns = Array.from({ length: OPEN_TURNS_MAX + 1 }, (_, index) => index + 1);
  const begun = turns.map((turn) => sampleEvent("turn.started", turnStarted, { ...at(0), turn }));
  const failed = { ...turnClosed, outcome: "failed" } as const;
  const closed = turns
    .slice(-2)
    .map((turn) => sampleEvent("turn.closed", failed, { ...at(1), turn }));
  expect(measure([...begun, ...closed])).toEqual([
    ["turn", "failed", 1],
    ["turn", "failed", undefined],
  ]);
});
