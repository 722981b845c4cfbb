/** Each rule sees a sound trace, and then the same trace with one fault. */
import { describe, expect, test } from "vitest";
import type { SeenEvent } from "../program/answers.ts";
import { traceRules } from "./trace-rules.ts";

function event(callId: string, type: string, payload = {}, second = 0): SeenEvent {
  const ts = `2024-05-06T07:08:${String(second).padStart(2, "0")}.000Z`;
  return { callId, ts, type, payload };
}

const nested: readonly SeenEvent[] = [
  event("p", "call.started", { loopId: "pair", loopVersion: "1.0.0" }, 1),
  event("p", "call.input.validated", { durationMs: 1 }, 1),
  event("p", "child.started", { childCallId: "c", loopId: "one", stepIndex: 0 }, 2),
  event("c", "call.started", { loopId: "one", loopVersion: "1.0.0", parentCallId: "p" }, 2),
  event("c", "call.input.validated", { durationMs: 0 }, 3),
  event("c", "call.tool.returned", { durationMs: 9 }, 3),
  event("c", "call.completed", { totalDurationMs: 10 }, 4),
  event("p", "child.completed", { childCallId: "c", status: "ok" }, 4),
  event("p", "call.completed", { totalDurationMs: 12 }, 5),
];

/** The trace with one event replaced; none removes it. */
function withEvent(index: number, ...events: Partial<SeenEvent>[]): SeenEvent[] {
  const original = nested[index] ?? event("", "");
  return nested.toSpliced(index, 1, ...events.map((change) => ({ ...original, ...change })));
}

describe("trace rules", () => {
  test("are content with a sound trace", () => {
    for (const [name, check] of Object.entries(traceRules)) expect(check(nested), name).toEqual([]);
  });

  test.each([
    ["a missing callId", { callId: "" }],
    ["a missing type", { type: "" }],
    ["a missing ts", { ts: "" }],
    ["a ts without a zone", { ts: "2024-05-06T07:08:09.000" }],
    ["a ts with another zone", { ts: "2024-05-06T07:08:09.000+02:00" }],
    ["a ts that is no date", { ts: "2024-13-06T07:08:09.000Z" }],
    ["a ts in words", { ts: "Mon May 06 2024" }],
  ])("event-fields sees %s", (_, change) => {
    expect(traceRules["event-fields"](withEvent(1, change))).toHaveLength(1);
  });

  test("times-in-order sees a step back within a call, not one between calls", () => {
    const back = { ts: "2024-05-06T07:08:00.000Z" };
    expect(traceRules["times-in-order"](withEvent(4, back))).toHaveLength(1);
    expect(traceRules["times-in-order"](withEvent(3, back))).toEqual([]);
  });

  test("one-terminal-event sees none, two, and one that is not last", () => {
    const check = traceRules["one-terminal-event"];
    expect(check(withEvent(6))).toHaveLength(1);
    expect(check(withEvent(6, {}, { type: "call.errored" }))).toHaveLength(1);
    expect(check(withEvent(6, {}, { type: "log" }))).toHaveLength(1);
  });

  test("child-ids sees a missing id, another call's id, and an end without a start", () => {
    const check = traceRules["child-ids"];
    expect(check(withEvent(2, { payload: {} }))).not.toEqual([]);
    expect(check(withEvent(2, { payload: { childCallId: "p" } }))).not.toEqual([]);
    expect(check(withEvent(7, { payload: { childCallId: "x" } }))).toHaveLength(1);
    expect(check(withEvent(7, {}, {}))).toHaveLength(1);
  });

  test("parent-ids sees a missing parent, a wrong one, and one of the root", () => {
    const check = traceRules["parent-ids"];
    expect(check(withEvent(3, { payload: {} }))).toHaveLength(1);
    expect(check(withEvent(3, { payload: { parentCallId: "c" } }))).toHaveLength(1);
    expect(check(withEvent(0, { payload: { parentCallId: "x" } }))).toHaveLength(1);
  });

  test.each<[string, SeenEvent[]]>([
    ["a child without child.started", withEvent(2)],
    ["a child without child.completed", withEvent(7)],
    ["an event of the parent inside", withEvent(4, {}, { callId: "p" })],
    ["an event of the child outside", withEvent(7, {}, { callId: "c", type: "log" })],
    ["a child that never ends", withEvent(6)],
    [
      "child.completed before the child ends",
      withEvent(5, { callId: "p", type: "child.completed" }),
    ],
    ["something between child.started and the child", withEvent(2, {}, { type: "log" })],
    ["a call that starts twice", withEvent(4, { type: "call.started" })],
    ["a second root", [...nested, event("q", "call.started")]],
  ])("child-frames sees %s", (_, trace) => {
    expect(traceRules["child-frames"](trace)).toHaveLength(1);
  });

  test("durations-fit sees a total below a phase, phases that overlap, and no total", () => {
    const check = traceRules["durations-fit"];
    expect(check(withEvent(6, { payload: { totalDurationMs: 8 } }))).toHaveLength(1);
    expect(check(withEvent(4, { payload: { durationMs: 9 } }))).toHaveLength(1);
    expect(check(withEvent(6, { payload: {} }))).toHaveLength(1);
  });
});
