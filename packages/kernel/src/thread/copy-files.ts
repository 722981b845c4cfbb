/**
 * Copies files of one run for another: stores their bytes under its key, and rewrites the
 * references to them. An unknown reference stays as it is, and is no file there; a file that a
 * message shows must exist.
 */
import type { JsonValue, ModelMessage } from "@turnseal/protocol";
import { type FileRef, isFileRef, listFiles } from "@turnseal/protocol/files";
import { filesOf } from "../context/message-files.ts";
import { LogError } from "../log/log-error.ts";
import type { RunFiles } from "../log/run-files.ts";

export interface FileCopy {
  readonly from: RunFiles;
  readonly to: RunFiles;
}

/** Files of one value that are copied. */
const COPIED_FILES_MAX = 256;

/** A value with every file of the one run named as a file of the other. */
export async function copyFiles(value: JsonValue, copy: FileCopy): Promise<JsonValue> {
  return rename(value, await copyEach(listFiles(value, COPIED_FILES_MAX), copy));
}

/** Copies a message of a thread, with its files. Throws if a shown file is gone. */
export async function copyMessage(message: ModelMessage, copy: FileCopy): Promise<ModelMessage> {
  const shown = filesOf(message);
  // A message is JSON: files can be in its words, its parts and its result.
  const plain = message as unknown as JsonValue;
  const named = message.role === "assistant" ? [] : listFiles(plain, COPIED_FILES_MAX);
  const copied = await copyEach([...shown, ...named], copy);
  const lost = shown.find(({ file }) => !copied.has(file));
  if (lost !== undefined)
    throw new LogError("LOG_CONTENT_MISSING", `the file ${lost.file} was erased or never stored`);
  if (message.role !== "assistant") return rename(plain, copied) as unknown as ModelMessage;
  const content = message.content.map((part) => {
    if (part.kind !== "file") return part;
    const { kind, providerData, ...file } = part;
    const data = providerData === undefined ? {} : { providerData };
    return { kind, ...(rename(file as unknown as JsonValue, copied) as object), ...data };
  });
  return { ...message, content: content as unknown as typeof message.content };
}

/** The copies of the files that exist, by their old names. */
async function copyEach(
  files: readonly FileRef[],
  { from, to }: FileCopy,
): Promise<ReadonlyMap<string, FileRef>> {
  const copied = new Map<string, FileRef>();
  for (const file of files) {
    if (copied.has(file.file)) continue;
    const bytes = await from.read(file);
    const sealed = bytes === undefined ? undefined : to.seal({ mediaType: file.mediaType, bytes });
    if (sealed?.kind !== "sealed") continue;
    await to.store(sealed.blob);
    copied.set(file.file, sealed.file);
  }
  return copied;
}

function rename(value: JsonValue, copied: ReadonlyMap<string, FileRef>): JsonValue {
  if (copied.size === 0 || typeof value !== "object" || value === null) return value;
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
