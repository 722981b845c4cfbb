/** Files that go to a model, and files that a model makes. */
import type { Blob, FileToTake, Model, ModelRequest } from "@turnseal/ports";
import { invariant, type ModelMessage } from "@turnseal/protocol";
import { FILES_MAX, type FileRef, takesType } from "@turnseal/protocol/files";
import { filesOf } from "../context/message-files.ts";
import type { RunFiles } from "../log/run-files.ts";

/** True when the words that a request adds have a file that the model says it does not take. */
export function hasUntaken({ takes }: Model, news: readonly ModelMessage[]): boolean {
  if (takes === undefined) return false;
  return news
    .filter((message) => message.role === "user" && message.origin === undefined)
    .some((message) => filesOf(message).some(({ mediaType }) => !takesType(takes, mediaType)));
}

/**
 * Keeps the files that the model accepts, and names the others. An earlier file must not stop a
 * conversation.
 */
export function nameUntaken(
  { takes }: Model,
  messages: readonly ModelMessage[],
): readonly ModelMessage[] {
  if (takes === undefined) return messages;
  return messages.map((message) => {
    const untaken = filesOf(message).filter(({ mediaType }) => !takesType(takes, mediaType));
    return untaken.length === 0 ? message : withoutFiles(message, new Set(untaken.map(nameOf)));
  });
}

function withoutFiles(message: ModelMessage, untaken: ReadonlySet<string>): ModelMessage {
  if (message.role === "system") return message;
  if (message.role === "assistant") {
    const content = message.content.map((part) =>
      part.kind === "file" && untaken.has(part.file)
        ? { kind: "text" as const, text: nameFile(part) }
        : part,
    );
    return { ...message, content };
  }
  const { files = [], ...rest } = message;
  const taken = files.filter(({ file }) => !untaken.has(file));
  const kept = taken.length === 0 ? {} : { files: taken };
  // The result of a tool names its files itself.
  if (rest.role === "tool") return { ...rest, ...kept };
  const named = files.filter(({ file }) => untaken.has(file)).map(nameFile);
  return { ...rest, text: [rest.text, ...named].join("\n"), ...kept };
}

function nameOf({ file }: FileRef): string {
  return file;
}

function nameFile({ mediaType }: Pick<FileRef, "mediaType">): string {
  return `[a file: ${mediaType}]`;
}

/** Reads every file of the messages, each once. */
export async function loadFiles(
  messages: readonly ModelMessage[],
  ofRun: RunFiles | undefined,
): Promise<Pick<ModelRequest, "files">> {
  invariant(ofRun !== undefined, "a message has files in a run alone");
  const files = new Map<string, Uint8Array>();
  for (const file of messages.flatMap(filesOf)) {
    if (!files.has(file.file)) files.set(file.file, await ofRun.load(file));
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

/**
 * Checks a file made by the model like any other file. Invalid files are not part of its answer.
 */
export function takeFiles(ofRun: RunFiles): TakenFiles {
  const taken = new Map<string, Blob>();
  let parts = 0;
  return {
    take: (given) => {
      if (parts === FILES_MAX) return undefined;
      const sealed = ofRun.seal(given);
      if (sealed.kind === "refused") return undefined;
      parts += 1;
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
