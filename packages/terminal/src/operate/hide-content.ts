/** The stores of a run without its content. */
import type { Stores } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";

export type ReadStores = Pick<Stores, "log" | "blobs">;

/**
 * No content, as after an erasure; and none of the names of fields that the log itself keeps, where
 * a value did not fit: they are from inputs, outputs and answers.
 */
export function hideContent({ log, blobs }: ReadStores): ReadStores {
  return {
    log: {
      ...log,
      read: async (...asked) => (await log.read(...asked)).map(hideNames),
    },
    blobs: { ...blobs, read: async () => undefined },
  };
}

function hideNames(event: LoopEvent): LoopEvent {
  if (event.type === "call.errored") {
    const { problems: _, ...details } = event.content.details;
    return { ...event, content: { ...event.content, details } };
  }
  if (event.type !== "action.settled" || event.content.action !== "tool") return event;
  const { refused: _, ...content } = event.content;
  return { ...event, content };
}
