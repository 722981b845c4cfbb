import type { SeenEvent } from "../program/answers.ts";
import { isTerminal } from "./seen-trace.ts";

/**
 * Every child runs from its first to its last event between `child.started` and `child.completed`
 * of its parent, without events of other calls in between. Another rule checks the ids inside
 * payloads.
 */
export function checkChildFrames(trace: readonly SeenEvent[]): string[] {
  const open: string[] = [];
  let previous: SeenEvent | undefined;
  for (const [index, event] of trace.entries()) {
    const problem = checkNext(event, previous, open);
    if (problem !== undefined) return [`event ${index} (${event.type}): ${problem}`];
    if (event.type === "call.started") open.push(event.callId);
    if (isTerminal(event)) open.pop();
    previous = event;
  }
  return open.length === 0 ? [] : [`${open.length} calls are still open at the end of the trace`];
}

function checkNext(
  event: SeenEvent,
  previous: SeenEvent | undefined,
  open: readonly string[],
): string | undefined {
  if (event.type === "call.started") {
    if (open.includes(event.callId)) return "its call has started already";
    if (open.length === 0) return previous === undefined ? undefined : "a second root call";
    return previous?.type === "child.started" ? undefined : "no child.started stands before it";
  }
  if (previous?.type === "child.started") return "the child's call.started must come next";
  if (event.callId !== open.at(-1)) return "it is not an event of the innermost open call";
  const isAfterChild = previous !== undefined && isTerminal(previous);
  if (isAfterChild === (event.type === "child.completed")) return undefined;
  return isAfterChild ? "child.completed must come next" : "no child has ended before it";
}
