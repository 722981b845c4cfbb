/** Finds the result of an answer about files: the event that its row became. */
import { READ_EVENTS_MAX, type Stores } from "@turnseal/ports";
import type { EventOf, LoopEvent } from "@turnseal/protocol";

export interface FileAnswerRow {
  readonly run: string;
  /** The key of the row: other words may have been taken in before it, and after. */
  readonly key: string;
  /** The place of the log when the answer was given. */
  readonly at: number;
}

export type FileAnswerEnd =
  | {
      readonly kind: "done";
      readonly event: EventOf<"drift.reconciled"> | EventOf<"artifact.adopted">;
    }
  | { readonly kind: "refused"; readonly why: string }
  /** The row is still where it was put. */
  | { readonly kind: "waiting" };

export async function findAnswerEnd(
  { run, key, at }: FileAnswerRow,
  { log }: Pick<Stores, "log">,
): Promise<FileAnswerEnd> {
  for (let from = at + 1; ; from += READ_EVENTS_MAX) {
    const events = await log.read(run, from, READ_EVENTS_MAX);
    for (const event of events) {
      const end = endOf(event, key);
      if (end !== undefined) return end;
    }
    if (events.length < READ_EVENTS_MAX) return { kind: "waiting" };
  }
}

function endOf(event: LoopEvent, key: string): FileAnswerEnd | undefined {
  switch (event.type) {
    case "drift.reconciled":
    case "artifact.adopted":
      return event.content.key === key ? { kind: "done", event } : undefined;
    case "signal.received": {
      const { content } = event;
      if (content.kind !== "refused" || content.key !== key) return undefined;
      return { kind: "refused", why: content.why };
    }
    default:
      return undefined;
  }
}
