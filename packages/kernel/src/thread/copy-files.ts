/**
 * Files of one run for another: their bytes are stored anew under its key, and whatever names them
 * names them anew. What is not found stays as it is, and is no file there.
 */
import type { ModelMessage } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { type FileRef, isFileRef, listFiles } from "@turnseal/protocol/files";
import type { RunFiles } from "../log/run-files.ts";

export interface FileCopy {
  readonly from: RunFiles;
  readonly to: RunFiles;
}

/** Files of one value that are copied. */
const COPIED_FILES_MAX = 256;

/** A value with every file of the one run named as a file of the other. */
export async function copyFiles(value: JsonValue, copy: FileCopy): Promise<JsonValue> {
  const copied = new Map<string, FileRef>();
  for (const file of listFiles(value, COPIED_FILES_MAX)) {
    const bytes = await copy.from.read(file);
    const sealed = bytes === undefined ? undefined : copy.to.seal({ ...file, bytes });
    if (sealed?.kind !== "sealed") continue;
    await copy.to.store(sealed.blob);
    copied.set(file.file, sealed.file);
  }
  return copied.size === 0 ? value : rename(value, copied);
}

/** A message of a thread, with its files. */
export async function copyMessage(message: ModelMessage, copy: FileCopy): Promise<ModelMessage> {
  // Whatever a message has is JSON: files stand in its words, its parts and its result alike.
  const plain = message as unknown as JsonValue;
  if (message.role !== "assistant")
    return (await copyFiles(plain, copy)) as unknown as ModelMessage;
  const content: JsonValue[] = [];
  for (const part of message.content) {
    if (part.kind !== "file") content.push(part as unknown as JsonValue);
    else {
      const { kind, providerData, ...file } = part;
      const copied = await copyFiles(file as unknown as JsonValue, copy);
      const data = providerData === undefined ? {} : { providerData };
      content.push({ kind, ...(copied as object), ...data });
    }
  }
  return { ...message, content: content as unknown as typeof message.content };
}

function rename(value: JsonValue, copied: ReadonlyMap<string, FileRef>): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => rename(item, copied));
  if (isFileRef(value)) {
    const { name } = value;
    const file = copied.get(value.file);
    if (file === undefined) return value;
    return { ...file, ...(name === undefined ? {} : { name }) } as unknown as JsonValue;
  }
  const fields = Object.entries(value).map(([name, field]) => [
    name,
    rename(field ?? null, copied),
  ]);
  return Object.fromEntries(fields) as JsonValue;
}
