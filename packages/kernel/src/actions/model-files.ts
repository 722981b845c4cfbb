/** The files that go to a model, and those that come from it. */
import type { Blob, FileToTake, Model, ModelMessage, ModelRequest } from "@turnseal/ports";
import { FILES_MAX, type FileRef, takesType } from "@turnseal/protocol/files";
import { filesOf } from "../context/message-files.ts";
import { LogError } from "../log/log-error.ts";
import type { RunFiles } from "../log/run-files.ts";

/** The type of a file among the messages that a model says it does not take. */
export function findUntaken(
  { takes }: Model,
  messages: () => readonly ModelMessage[],
): string | undefined {
  if (takes === undefined) return undefined;
  const types = messages().flatMap((message) => filesOf(message).map(({ mediaType }) => mediaType));
  return types.find((mediaType) => !takesType(takes, mediaType));
}

/** Reads every file of the messages, each once. */
export async function loadFiles(
  messages: readonly ModelMessage[],
  ofRun: RunFiles | undefined,
): Promise<Pick<ModelRequest, "files">> {
  const files = new Map<string, Uint8Array>();
  for (const file of messages.flatMap(filesOf)) {
    if (files.has(file.file)) continue;
    const bytes = await ofRun?.read(file);
    if (bytes === undefined)
      throw new LogError("LOG_CONTENT_MISSING", `the file ${file.file} was erased or never stored`);
    files.set(file.file, bytes);
  }
  return { files };
}

export interface TakenFiles {
  readonly take: (file: FileToTake) => FileRef | undefined;
  /** True for a file that was taken. */
  has(file: FileRef): boolean;
  /** Makes those durable that an answer has. */
  store(files: readonly FileRef[]): Promise<void>;
}

/** What a model makes is looked at like any file: what is none is no part of its answer. */
export function takeFiles(ofRun: RunFiles): TakenFiles {
  const taken = new Map<string, Blob>();
  return {
    take: (given) => {
      if (taken.size === FILES_MAX) return undefined;
      const sealed = ofRun.seal(given);
      if (sealed.kind === "refused") return undefined;
      taken.set(sealed.file.file, sealed.blob);
      return sealed.file;
    },
    has: ({ file, mediaType, bytes }) => {
      const blob = taken.get(file);
      return blob?.mediaType === mediaType && blob.size === bytes;
    },
    store: async (files) => {
      for (const { file } of files) {
        const blob = taken.get(file);
        if (blob !== undefined) await ofRun.store(blob);
      }
    },
  };
}
