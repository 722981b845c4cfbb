/** The files of messages, and what they cost to be read. */
import type { ModelMessage } from "@turnseal/protocol";
import { type FileRef, REQUEST_FILE_BYTES_MAX } from "@turnseal/protocol/files";
import {
  AUDIO_BYTES_PER_TOKEN,
  AUDIO_RESERVE_FACTOR,
  AUDIO_TOKENS_MIN,
  FILE_RESERVE_FACTOR,
  IMAGE_TOKENS,
  PDF_BYTES_PER_TOKEN,
  PDF_RESERVE_TOKENS_MIN,
} from "../limits.ts";
import { type Failed, fail } from "../outcome.ts";

const NONE: readonly FileRef[] = [];

export function filesOf(message: ModelMessage): readonly FileRef[] {
  switch (message.role) {
    case "system":
      return NONE;
    case "user":
    case "tool":
      return message.files ?? NONE;
    case "assistant": {
      if (!message.content.some(({ kind }) => kind === "file")) return NONE;
      return message.content.flatMap((part) => {
        if (part.kind !== "file") return [];
        const { kind: _, providerData: __, ...file } = part;
        return [file];
      });
    }
  }
}

/** Estimates the tokens of a file from its type and size, since no provider has counted it yet. */
export function estimateFile({ mediaType, bytes }: FileRef): number {
  if (mediaType.startsWith("image/")) return IMAGE_TOKENS;
  if (mediaType.startsWith("audio/"))
    return Math.max(AUDIO_TOKENS_MIN, Math.ceil(bytes / AUDIO_BYTES_PER_TOKEN));
  return Math.max(IMAGE_TOKENS, Math.ceil(bytes / PDF_BYTES_PER_TOKEN));
}

export function estimateFiles(message: ModelMessage): number {
  return filesOf(message).reduce((sum, file) => sum + estimateFile(file), 0);
}

/** The reservation for them. */
export function reserveFiles(message: ModelMessage): number {
  return filesOf(message).reduce((sum, file) => sum + reserveFile(file), 0);
}

/** A few bytes can be many pages, or a long silence. */
function reserveFile(file: FileRef): number {
  const estimated = estimateFile(file);
  if (file.mediaType.startsWith("image/")) return FILE_RESERVE_FACTOR * estimated;
  if (file.mediaType.startsWith("audio/")) return AUDIO_RESERVE_FACTOR * estimated;
  return Math.max(PDF_RESERVE_TOKENS_MIN, FILE_RESERVE_FACTOR * estimated);
}

export function sumFileBytes(messages: readonly ModelMessage[]): number {
  let sum = 0;
  for (const message of messages) for (const { bytes } of filesOf(message)) sum += bytes;
  return sum;
}

/** The refusal of a request whose files are too large together. */
export function refuseFileBytes(fileBytes: number): Failed | undefined {
  if (fileBytes <= REQUEST_FILE_BYTES_MAX) return undefined;
  const most = REQUEST_FILE_BYTES_MAX;
  const message = `the files of a request have ${fileBytes} bytes, more than ${most}`;
  return fail("BUDGET_EXCEEDED", message, { fault: "CONTEXT_TOO_LARGE" });
}
