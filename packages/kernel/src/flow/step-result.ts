/**
 * The result of a step, as later mappings see it: the whole LoopResult (spec/mapping.md §3.4).
 *
 * Few mappings look beyond the output. Times and trace are read from the record, and only if some
 * mapping reads them. They end with the last event of the step's own call, so that a resume, which
 * has more of the record, reads the same.
 */
import type { JsonObject, JsonValue } from "@turnseal/protocol";
import { type CallEvent, toTrace } from "@turnseal/protocol/trace";
import type { CheckedLoop } from "../definition/check-loop.ts";
import type { Recorder } from "../resume/recorder.ts";

interface EndedStep {
  readonly call: string;
  readonly loop: CheckedLoop;
  readonly output: JsonValue;
}

export function createStepResult(
  { call, loop: { definition }, output }: EndedStep,
  recorder: Pick<Recorder, "listEvents"> | undefined,
): JsonObject {
  const { id: loopId, version: loopVersion } = definition;
  const plain = { callId: call, loopId, loopVersion, status: "ok", output };
  if (recorder === undefined) return plain;
  const events = cutOut(recorder.listEvents(), call);
  const startedAt = events[0]?.at ?? "";
  const endedAt = events.at(-1)?.at ?? "";
  return {
    ...plain,
    startedAt,
    endedAt,
    durationMs: Date.parse(endedAt) - Date.parse(startedAt),
    // A trace is plain data; its type leaves the payloads open.
    trace: toTrace(events) as unknown as JsonValue,
  };
}

/** The events of a call and of the calls below it, to the one with which it ended. */
function cutOut(events: readonly CallEvent[], call: string): CallEvent[] {
  const calls = new Set([call]);
  const own: CallEvent[] = [];
  for (const event of events) {
    if (event.parentCall !== undefined && calls.has(event.parentCall)) calls.add(event.call);
    if (!calls.has(event.call)) continue;
    own.push(event);
    if (event.call === call && event.type === "call.completed") break;
  }
  return own;
}
