/** One message of a conversation, as events record it and as it is sent. */
import type { Blob, ModelContent, ModelMessage } from "@turnseal/ports";
import type { ContextEntry, JsonValue } from "@turnseal/protocol";
import { toReference } from "../log/appender.ts";
import type { Content } from "../log/content.ts";

export interface RecordedItems {
  readonly items: readonly ContextEntry[];
  readonly blobs: readonly Blob[];
}

/** Names messages by digest; the blobs hold what they say. */
export function recordMessages(
  messages: readonly ModelMessage[],
  content: Pick<Content, "seal">,
): RecordedItems {
  const blobs = messages.map((message) => content.seal(saidBy(message)));
  const items = messages.flatMap((message, index): ContextEntry[] => {
    const blob = blobs[index];
    if (blob === undefined) return [];
    const { role } = message;
    return [
      {
        role,
        ...(role === "tool" ? { toolCallId: message.toolCallId } : {}),
        ...(role === "assistant" && message.by !== undefined ? { by: message.by } : {}),
        ...(role === "user" && message.origin !== undefined ? { origin: message.origin } : {}),
        ...toReference(blob),
      },
    ];
  });
  return { items, blobs };
}

/** The message behind an item; `toolName` is that of the call that a result belongs to. */
export function readMessage(
  { role, toolCallId = "", by, origin }: ContextEntry,
  value: JsonValue,
  toolName: string,
): ModelMessage {
  switch (role) {
    case "system":
      return { role, text: String(value) };
    case "user":
      return { role, text: String(value), ...(origin === undefined ? {} : { origin }) };
    case "assistant":
      return {
        role,
        content: value as unknown as readonly ModelContent[],
        ...(by === undefined ? {} : { by }),
      };
    case "tool":
      return { role, toolCallId, toolName, result: value };
  }
}

function saidBy(message: ModelMessage): JsonValue {
  switch (message.role) {
    case "system":
    case "user":
      return message.text;
    case "assistant":
      return message.content as unknown as JsonValue;
    case "tool":
      return message.result;
  }
}
