/**
 * The properties of a whole trace. Each rule looks at one thing only, so that a runtime with one
 * fault fails the cases of that rule and no others.
 */
import type { SeenEvent } from "../program/answers.ts";
import type { TraceRuleName } from "../vectors/trace-rule-names.ts";
import { checkChildFrames } from "./check-child-frames.ts";
import { isTerminal } from "./seen-trace.ts";

export type TraceRule = (trace: readonly SeenEvent[]) => string[];

export const traceRules: Readonly<Record<TraceRuleName, TraceRule>> = {
  "event-fields": checkEventFields,
  "times-in-order": checkTimesInOrder,
  "one-terminal-event": checkOneTerminalEvent,
  "child-ids": checkChildIds,
  "parent-ids": checkParentIds,
  "child-frames": checkChildFrames,
  "durations-fit": checkDurationsFit,
};

// ISO 8601 in UTC: a date, a time to the second at least, and Z or a zero offset.
const utcPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+]00:00)$/;

function checkEventFields(trace: readonly SeenEvent[]): string[] {
  return trace.flatMap((event, index) => {
    const problems: string[] = [];
    if (event.callId === "") problems.push(`event ${index} has no callId`);
    if (event.type === "") problems.push(`event ${index} has no type`);
    if (!utcPattern.test(event.ts) || Number.isNaN(Date.parse(event.ts))) {
      problems.push(`event ${index} (${event.type}) has no UTC time as ts: "${event.ts}"`);
    }
    return problems;
  });
}

function checkTimesInOrder(trace: readonly SeenEvent[]): string[] {
  const problems: string[] = [];
  for (const [callId, events] of groupByCall(trace)) {
    let latest = Number.NEGATIVE_INFINITY;
    for (const event of events) {
      const time = Date.parse(event.ts);
      if (!(time >= latest)) problems.push(`${event.type} of call ${callId} goes back in time`);
      latest = time;
    }
  }
  return problems;
}

function checkOneTerminalEvent(trace: readonly SeenEvent[]): string[] {
  const problems: string[] = [];
  for (const [callId, events] of groupByCall(trace)) {
    const terminal = events.filter(isTerminal);
    if (terminal.length !== 1) {
      problems.push(`call ${callId} has ${terminal.length} terminal events instead of one`);
    } else if (events.at(-1) !== terminal[0]) {
      problems.push(`call ${callId} goes on after ${terminal[0]?.type}`);
    }
  }
  return problems;
}

function checkChildIds(trace: readonly SeenEvent[]): string[] {
  const problems: string[] = [];
  const open = new Set<unknown>();
  for (const [index, { callId, type, payload }] of trace.entries()) {
    const childCallId = payload["childCallId"];
    if (type === "child.started") {
      const child = trace.slice(index).find((event) => event.type === "call.started");
      if (childCallId !== child?.callId || childCallId === callId) {
        problems.push(`child.started ${index} does not carry the id of the call that it starts`);
      }
      open.add(childCallId);
    }
    if (type === "child.completed" && (childCallId === undefined || !open.delete(childCallId))) {
      problems.push(`child.completed ${index} does not carry the id of a child that was started`);
    }
  }
  return problems;
}

/** A call that starts inside another names it; the first call of the trace names none. */
function checkParentIds(trace: readonly SeenEvent[]): string[] {
  const problems: string[] = [];
  const open: string[] = [];
  for (const [index, event] of trace.entries()) {
    if (event.type === "call.started") {
      const parent = event.payload["parentCallId"];
      if (parent !== open.at(-1)) {
        problems.push(`call.started ${index} has parentCallId ${parent} instead of ${open.at(-1)}`);
      }
      open.push(event.callId);
    }
    if (isTerminal(event) && event.callId === open.at(-1)) open.pop();
  }
  return problems;
}

// Each phase is rounded on its own, so each may add one millisecond to the sum.
const ROUNDING_MS = 1;

function checkDurationsFit(trace: readonly SeenEvent[]): string[] {
  const problems: string[] = [];
  for (const [callId, events] of groupByCall(trace)) {
    const total = events.find(({ type }) => type === "call.completed")?.payload["totalDurationMs"];
    const phases = events.flatMap(({ payload }) => payload["durationMs"] ?? []).map(Number);
    const longest = Math.max(0, ...phases);
    const sum = phases.reduce((first, second) => first + second, 0);
    if (typeof total !== "number" || !(total >= longest)) {
      problems.push(`call ${callId} lasted ${total} ms, a phase of it ${longest} ms`);
    } else if (!(sum <= total + phases.length * ROUNDING_MS)) {
      problems.push(`the phases of call ${callId} lasted ${sum} ms, all of it ${total} ms`);
    }
  }
  return problems;
}

function groupByCall(trace: readonly SeenEvent[]): Map<string, SeenEvent[]> {
  return Map.groupBy(trace, ({ callId }) => callId);
}
