import type { LoopResult } from "@turnseal/protocol";

/**
 * Checks the trace of a call: every call in it ends once, and then is silent. Only those of an item
 * that is withdrawn need not end (spec/lifecycle.md §1.3).
 */
export function checkTrace({ trace, callId, status }: LoopResult): string[] {
  const problems: string[] = [];
  const states = new Map<string, "open" | "ended">();
  for (const { callId: call, type } of trace) {
    const state = states.get(call);
    if (state === "ended") problems.push(`${type} of ${call} after its end`);
    if ((type === "call.started") !== (state === undefined)) {
      problems.push(`${type} of ${call} where it may not stand`);
    }
    const isTerminal = type === "call.completed" || type === "call.errored";
    states.set(call, isTerminal ? "ended" : "open");
  }
  const withdrawn = listWithdrawn(trace);
  for (const [call, state] of states)
    if (state === "open" && !withdrawn.has(call)) problems.push(`${call} never ends`);
  const last = trace.at(-1);
  if (last?.callId !== callId) problems.push("the root does not end last");
  if (last?.type !== (status === "ok" ? "call.completed" : "call.errored")) {
    problems.push(`the last event is ${last?.type} and the status ${status}`);
  }
  return problems;
}

const inItem = /\/(?:items|branches)\/\d+(?:\/|$)/;

/** The calls in items of a fan-out that their caller has not seen end, and those below them. */
function listWithdrawn(trace: LoopResult["trace"]): ReadonlySet<string> {
  const calls = new Set<string>();
  for (const { callId, type, payload = {} } of trace) {
    const { childCallId: child, parentCallId: parent, path } = payload as Record<string, unknown>;
    if (type === "child.started" && typeof path === "string" && inItem.test(path))
      calls.add(String(child));
    if (type === "child.completed") calls.delete(String(child));
    if (type === "call.started" && calls.has(String(parent))) calls.add(callId);
  }
  return calls;
}
