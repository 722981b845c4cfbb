import type { JsonValue, ModelMessage } from "@turnseal/protocol";
import type { Thread } from "./thread.ts";

/** The result for the model of a tool call that never gave one. */
export const INTERRUPTED: JsonValue = { error: "INTERRUPTED" };

/**
 * The results that are missing at the end of a thread: providers refuse a tool call that has none.
 */
export function closeCalls(thread: Pick<Thread, "entries" | "pending">): ModelMessage[] {
  const answered = new Set<string>();
  for (const message of fromTheEnd(thread)) {
    if (message.role === "tool") {
      answered.add(message.toolCallId);
      continue;
    }
    if (message.role !== "assistant") return [];
    return message.content.flatMap((part): ModelMessage[] => {
      if (part.kind !== "tool-call" || answered.has(part.toolCallId)) return [];
      answered.add(part.toolCallId);
      const { toolCallId, toolName } = part;
      return [{ role: "tool", toolCallId, toolName, result: INTERRUPTED }];
    });
  }
  return [];
}

function* fromTheEnd({
  entries,
  pending,
}: Pick<Thread, "entries" | "pending">): Generator<ModelMessage> {
  const said = pending();
  for (let index = said.length - 1; index >= 0; index--) {
    const message = said[index];
    if (message !== undefined) yield message;
  }
  const recorded = entries();
  for (let index = recorded.length - 1; index >= 0; index--) {
    const entry = recorded[index];
    if (entry !== undefined) yield entry.message;
  }
}
