import { type Head, isLoopError, type JsonObject, type LoopEvent } from "@turnseal/protocol";
import type { InboxMessage } from "../inbox/inbox.ts";
import type { Stores } from "../stores.ts";

/** One call to the stores of a run, as the vectors of the log write it. */
export type LogStep =
  | { readonly op: "takeEpoch" }
  | {
      readonly op: "append";
      readonly epoch: number;
      readonly after: Head;
      readonly events: readonly LoopEvent[];
      readonly consumed?: readonly string[];
    }
  | {
      readonly op: "put";
      readonly key: string;
      readonly kind: InboxMessage["kind"];
      readonly body: JsonObject;
    };

/**
 * Asks one thing after the other, and answers with the answers; an append that throws is `refused`.
 */
export async function runSteps(
  { log, inbox }: Pick<Stores, "log" | "inbox">,
  run: string,
  steps: readonly LogStep[],
): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const step of steps) {
    switch (step.op) {
      case "takeEpoch":
        answers.push(await log.takeEpoch(run));
        break;
      case "append": {
        const { op: _, consumed = [], ...append } = step;
        const answer = log.append({ run, ...append, blobs: [], consumed });
        answers.push(await answer.catch(refusedByInvariant));
        break;
      }
      case "put": {
        const { op: _, ...message } = step;
        answers.push(await inbox.put({ run, ...message }));
      }
    }
  }
  return answers;
}

function refusedByInvariant(error: unknown): string {
  if (isLoopError(error) && error.code === "INVARIANT_BROKEN") return "refused";
  throw error;
}
