import {
  type ContextEntry,
  type JsonValue,
  type ModelContent,
  type ModelMessage,
  textOf,
} from "@turnseal/protocol";
import { toFileRef } from "@turnseal/protocol/files";

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

type Words = Extract<ModelMessage, { readonly role: "user" }>;

/** Words with files: what people call them is content, like the words. */
function readWords(value: JsonValue): Words {
  const { text, files } = value as unknown as Words;
  return { role: "user", text, ...(files === undefined ? {} : { files }) };
}
