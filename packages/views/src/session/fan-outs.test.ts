import { SAMPLE_CONTENTS, type SamplePlace, sampleEvent } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { applySessionEvent } from "./apply-session-event.ts";
import { emptySession } from "./session-state.ts";

const { callStarted, claimedHandoff, settledHandoff, requestedTool } = SAMPLE_CONTENTS;

function tell(events: readonly LoopEvent[]): [string, unknown][] {
  let state = emptySession("run");
  return events.flatMap((event) => {
    const applied = applySessionEvent(state, event, () => ({ text: "read" }));
    state = applied.state;
    return applied.envelopes.map(({ type, content }): [string, unknown] => [type, content]);
  });
}

const start = (call: string, place: SamplePlace = {}): LoopEvent =>
  sampleEvent("call.started", callStarted, { call, ...place });
const fix = (call: string, path: string, items: number): LoopEvent =>
  sampleEvent("fanout.fixed", { path, items }, { call });
const child = (call: string, path: string, of: string): LoopEvent[] => [
  sampleEvent("child.started", { child: call, loop: "l", step: 0, path }, { call: of }),
  start(call, { parentCall: of }),
];
const handoff = (call: string, parentCall: string): LoopEvent[] => [
  sampleEvent("action.claimed", claimedHandoff, { call, parentCall }),
  sampleEvent("action.settled", settledHandoff, { call, parentCall }),
];
const request = (call: string, parentCall: string): LoopEvent =>
  sampleEvent("approval.requested", requestedTool, { call, parentCall });
const withdraw = (index: number, path = "/flow"): LoopEvent =>
  sampleEvent("item.closed", { path, index, status: "withdrawn" }, { call: "root" });

function listPlaces(events: readonly LoopEvent[]): unknown[] {
  return tell(events).flatMap(([type, content]) => (type === "child-generation" ? [content] : []));
}

test("a run that an item handed to has the place of the item among all", () => {
  const places = listPlaces([
    ...[start("root"), fix("root", "/flow", 3)],
    ...[...child("a", "/flow/items/2", "root"), ...child("b", "/flow/items/1/nodes/0", "root")],
    ...[...handoff("a", "root"), ...handoff("b", "root")],
  ]);
  expect(places).toMatchObject([
    { index: 2, total: 3 },
    { index: 1, total: 3 },
  ]);
});

test("the innermost fan-out counts, also where a call of the item handed off", () => {
  const places = listPlaces([
    ...[start("root"), fix("root", "/flow", 3), fix("root", "/flow/items/2", 5)],
    ...[...child("a", "/flow/items/2/branches/4", "root"), ...child("deep", "/flow", "a")],
    ...handoff("deep", "a"),
  ]);
  expect(places).toMatchObject([{ index: 4, total: 5 }]);
});

test("outside of a fan-out there is one place", () => {
  const places = listPlaces([
    ...[start("root"), fix("root", "/flow/nodes/0", 3)],
    ...[...child("a", "/flow/nodes/1", "root"), ...handoff("a", "root")],
  ]);
  expect(places).toMatchObject([{ index: 0, total: 1 }]);
});

test("what an item asked for ends when the item is withdrawn, and nothing else does", () => {
  const told = tell([
    ...[start("root"), fix("root", "/flow", 12)],
    ...[...child("a", "/flow/items/1", "root"), ...child("b", "/flow/items/11/nodes/0", "root")],
    ...[...child("deep", "/flow", "a"), request("deep", "a"), request("b", "root")],
    ...[withdraw(2), withdraw(1, "/flow/nodes/0"), withdraw(1), withdraw(1)],
  ]);
  expect(told.map(([type]) => type)).toEqual(["tool-call", "tool-call", "tool-error"]);
  expect(told[2]?.[1]).toMatchObject({ toolCallId: "deep", error: "CANCELLED" });
});

test("a wait is no tool: neither it nor the signal that answers it is shown as one", () => {
  const { asked, answered } = SAMPLE_CONTENTS;
  const waited = { ...asked, to: "signal", signal: "paid", path: "/flow" } as const;
  const told = tell([
    start("root"),
    sampleEvent("question.asked", waited, { call: "root" }),
    sampleEvent("question.answered", { ...answered, signal: 3, path: "/flow" }, { call: "root" }),
    sampleEvent("call.completed", { durationMs: 1 }, { call: "root" }),
  ]);
  expect(told).toEqual([]);
});
