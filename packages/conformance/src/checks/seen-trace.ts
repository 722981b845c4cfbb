import type { SeenEvent } from "../program/answers.ts";

/** True for an event that ends its call. */
export function isTerminal({ type }: SeenEvent): boolean {
  return type === "call.completed" || type === "call.errored";
}

/** The ids of the calls in a trace, in order of their first event. */
export function callIdsOf(trace: readonly SeenEvent[]): string[] {
  return [...new Set(trace.map(({ callId }) => callId))];
}
