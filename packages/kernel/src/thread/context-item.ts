/** One message of a conversation, as events record it and as it is sent. */
import type { Blob, ModelContent, ModelMessage } from "@turnseal/ports";
import { type ContextEntry, type JsonValue, textOf } from "@turnseal/protocol";
import { toBlobRef, toFileRef } from "@turnseal/protocol/files";
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

/** The message behind an item; `toolName` is that of the call that a result belongs to. */
export function readMessage(
  { role, toolCallId = "", by, origin, files = [] }: ContextEntry,
  value: JsonValue,
  toolName: string,
): ModelMessage {
  switch (role) {
    case "system":
      return { role, text: textOf(value) };
    case "user":
      return {
        ...(files.length === 0 ? { role, text: textOf(value) } : readWords(value)),
        ...(origin === undefined ? {} : { origin }),
      };
    case "assistant":
      return {
        role,
        content: value as unknown as readonly ModelContent[],
        ...(by === undefined ? {} : { by }),
      };
    case "tool":
      return {
        ...{ role, toolCallId, toolName, result: value },
        ...(files.length === 0 ? {} : { files: files.map(toFileRef) }),
      };
  }
}

function nameFiles(message: ModelMessage): Pick<ContextEntry, "files"> {
  const files = filesOf(message);
  return files.length === 0 ? {} : { files: files.map(toBlobRef) };
}

type Words = Extract<ModelMessage, { readonly role: "user" }>;

/** Words with files: what people call them is content, like the words. */
function readWords(value: JsonValue): Words {
  const { text, files } = value as unknown as Words;
  return { role: "user", text, ...(files === undefined ? {} : { files }) };
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
