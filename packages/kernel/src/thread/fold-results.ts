/**
 * What the tools gave that an answer asked for, as the log has it: of a turn that nobody ran to its
 * end nothing else says that they did. To ask for them again could do twice what was done.
 */
import type { BlobRef, LoopEvent } from "@turnseal/protocol";

export interface ResultFold {
  apply(event: LoopEvent): void;
  /** By the place of the tool among those that the answer asks for. */
  results(): ReadonlyMap<number, BlobRef>;
}

/** Of the tools that this call asks for from now on. */
export function createResultFold(call: string | undefined): ResultFold {
  const steps = new Map<string, number>();
  const results = new Map<number, BlobRef>();
  return {
    apply: (event) => {
      if (event.type === "child.started" && event.call === call) {
        const { child, step, filter } = event.content;
        if (filter === undefined) steps.set(child, step);
      }
      const step = steps.get(event.call ?? "");
      const result = step === undefined ? undefined : resultOf(event);
      if (step !== undefined && result !== undefined) results.set(step, result);
    },
    results: () => results,
  };
}

function resultOf(event: LoopEvent): BlobRef | undefined {
  if (event.type === "action.resolved") return event.content.result;
  if (event.type !== "action.settled" || event.content.action === "model") return undefined;
  return event.content.status === "ok" ? event.content.result : undefined;
}
