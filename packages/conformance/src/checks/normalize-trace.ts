import type { SeenEvent } from "../program/answers.ts";
import { callIdsOf, isTerminal } from "./seen-trace.ts";

/**
 * Takes the part of a trace that belongs to one of its calls and the calls below it, without values
 * that differ from run to run. Ids become positions, times and durations go, and the call's own
 * parent is dropped.
 */
export function normalizeTrace(trace: readonly SeenEvent[], call: number): unknown[] {
  const part = sliceCall(trace, callIdsOf(trace)[call]);
  const callIds = callIdsOf(part);
  const positionOf = (id: unknown) => (typeof id === "string" ? callIds.indexOf(id) : -1);
  return part.map(({ callId, type, payload }) => {
    const { durationMs: _, totalDurationMs: __, parentCallId, childCallId, ...rest } = payload;
    const parent = positionOf(parentCallId);
    return {
      call: positionOf(callId),
      type,
      payload: rest,
      ...(parent === -1 ? {} : { parent }),
      ...(childCallId === undefined ? {} : { child: positionOf(childCallId) }),
    };
  });
}

function sliceCall(trace: readonly SeenEvent[], callId: string | undefined): SeenEvent[] {
  const start = trace.findIndex((event) => event.callId === callId);
  if (start === -1) return [];
  const end = trace.findLastIndex((event) => event.callId === callId && isTerminal(event));
  return trace.slice(start, end + 1);
}
