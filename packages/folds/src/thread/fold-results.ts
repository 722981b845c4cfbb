/**
 * Collects the results of an answer's tool calls from the log. For a turn that was not run to its
 * end, the log is the only record of them. Calling the tools again could repeat their effects.
 */
import type { BlobRef, LoopEvent } from "@turnseal/protocol";

export interface ResultFold {
  apply(event: LoopEvent): void;
  /**
   * By the place of the tool among those that the answer calls. Null where the tool acted, but its
   * output was not checked.
   */
  results(): ReadonlyMap<number, BlobRef | null>;
}

/** Of the tools that this call asks for from now on. */
export function createResultFold(call: string | undefined): ResultFold {
  const steps = new Map<string, number>();
  const given = new Map<number, BlobRef>();
  const results = new Map<number, BlobRef | null>();
  return {
    apply: (event) => {
      if (event.type === "child.started" && event.call === call) {
        const { child, step, filter } = event.content;
        if (filter === undefined) steps.set(child, step);
      }
      const step = steps.get(event.call ?? "");
      if (step === undefined) return;
      const result = resultOf(event);
      if (result !== undefined) {
        given.set(step, result);
        results.set(step, null);
      }
      if (event.type === "call.output.validated") results.set(step, given.get(step) ?? null);
    },
    results: () => results,
  };
}

function resultOf(event: LoopEvent): BlobRef | undefined {
  if (event.type === "action.resolved") return event.content.result;
  if (event.type !== "action.settled" || event.content.action === "model") return undefined;
  return event.content.status === "ok" ? event.content.result : undefined;
}
