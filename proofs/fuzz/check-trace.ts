import type { LoopResult } from "@turnseal/protocol";

/** What is wrong with the trace of a call: every call in it ends once, and then is silent. */
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
  for (const [call, state] of states) if (state === "open") problems.push(`${call} never ends`);
  const last = trace.at(-1);
  if (last?.callId !== callId) problems.push("the root does not end last");
  if (last?.type !== (status === "ok" ? "call.completed" : "call.errored")) {
    problems.push(`the last event is ${last?.type} and the status ${status}`);
  }
  return problems;
}
