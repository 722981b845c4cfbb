/** The bound of a trace, by what the log has. */
import type { LoopEvent } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { TRACE_EVENTS_MAX } from "../limits.ts";
import type { Appender } from "../log/appender.ts";
import { readRecordedTurn } from "./recorded-turn.ts";
import { createTurnRecorder } from "./turn-recorder.ts";

const at = "2026-01-01T00:00:00.000Z";
const callId = "root";

/** A recorder of a turn with so many recorded events. */
function openRecorded(count: number) {
  const before = Array.from({ length: count }, (_, index) => ({
    ...{ type: "child.started", call: callId, sequence: index + 1, at },
    content: { child: `child ${index}`, loop: "work", step: 0 },
    actor: { kind: "kernel" },
  })) as unknown as LoopEvent[];
  const appender = { lastMs: () => Date.parse(at), sinceMark: () => [] } as unknown as Appender;
  const recorded = readRecordedTurn(before);
  const { signal } = new AbortController();
  return createTurnRecorder({ turn: 1, appender, recorded, before, signal });
}

test("what is recorded is made again, however full the log is", () => {
  const recorder = openRecorded(TRACE_EVENTS_MAX);
  expect(recorder.isFull(callId, "child 0")).toBe(false);
  expect(recorder.isFull(callId, `child ${TRACE_EVENTS_MAX - 1}`)).toBe(false);
});

test("what is new is counted with all that is recorded, made again or not", () => {
  expect(openRecorded(TRACE_EVENTS_MAX).isFull(callId, "another")).toBe(true);
  expect(openRecorded(TRACE_EVENTS_MAX).isFull(callId)).toBe(true);
  expect(openRecorded(TRACE_EVENTS_MAX - 1).isFull(callId, "another")).toBe(false);
});
