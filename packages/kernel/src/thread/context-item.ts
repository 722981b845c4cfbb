/** One message of a conversation, as events record it and as it is sent. */
import type { Blob } from "@turnseal/ports";
import type { ContextEntry, JsonValue, ModelMessage } from "@turnseal/protocol";
import { toBlobRef } from "@turnseal/protocol/files";
import { filesOf } from "../context/message-files.ts";
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
        ...nameFiles(message),
      },
    ];
  });
  return { items, blobs };
}

function nameFiles(message: ModelMessage): Pick<ContextEntry, "files"> {
  const files = filesOf(message);
  return files.length === 0 ? {} : { files: files.map(toBlobRef) };
}

function saidBy(message: ModelMessage): JsonValue {
  switch (message.role) {
    case "system":
      return message.text;
    case "user": {
      const { text, files } = message;
      return files === undefined ? text : { text, files: files as unknown as JsonValue };
    }
    case "assistant":
      return message.content as unknown as JsonValue;
    case "tool":
      return message.result;
  }
}
