/**
 * The newest message of a page: words with files, or decisions on approvals. The rest of it, such
 * as claimed outputs of tools, is not read.
 */

import type { FileToTake } from "@turnseal/ports";
import { isPlainObject } from "@turnseal/protocol";
import { parseGenerationId } from "@turnseal/protocol/events";
import { FILE_BYTES_MAX, FILES_MAX, type FileRef, isFileRef } from "@turnseal/protocol/files";
import { MESSAGE_LENGTH_MAX, REASON_LENGTH_MAX } from "../limits.ts";
import { type Refusal, refuse } from "../refusal.ts";

/** A message as a page sends it. */
export interface ChatMessage {
  readonly id: string;
  readonly role: "user" | "assistant" | "system";
  readonly parts: readonly ({ readonly type: string } & Readonly<Record<string, unknown>>)[];
}

export interface ChatWords {
  readonly kind: "words";
  readonly text: string;
  readonly key: string;
  readonly files: readonly (FileRef | FileToTake)[];
}

export interface ChatDecisions {
  readonly kind: "decisions";
  readonly decisions: readonly ChatDecision[];
  /** The turn that the page shows, where the message names one. */
  readonly place: { readonly run: string; readonly turn: number } | undefined;
  /** Steps of it that the page has. */
  readonly steps: number;
}

export interface ChatDecision {
  readonly approval: string;
  readonly isApproved: boolean;
  readonly reason?: string;
}

export type ChatReading =
  | ChatWords
  | ChatDecisions
  | { readonly kind: "refused"; readonly refusal: Refusal };

export function readChatMessage(message: ChatMessage): ChatReading {
  if (message.role === "user") return readWords(message);
  if (message.role === "assistant") return readDecisions(message);
  return no("the last message is neither a person's nor the agent's");
}

function readWords({ id: key, parts }: ChatMessage): ChatReading {
  const texts = parts.flatMap((part) => (part.type === "text" ? [part["text"] ?? ""] : []));
  if (!texts.every((said) => typeof said === "string")) return no("the text of a part is no text");
  const text = texts.join("\n");
  const named = parts.filter(({ type }) => type === "file");
  if (named.length > FILES_MAX) return no(`a message has at most ${FILES_MAX} files`);
  const files = named.map(readFilePart);
  const known = files.filter((file) => file !== undefined);
  if (known.length < files.length) return no("a file is neither of this chat nor a data URL");
  if (text === "") return no("the last message has no text");
  if (text.length > MESSAGE_LENGTH_MAX)
    return { kind: "refused", refusal: refuse("BODY_TOO_LARGE") };
  return { kind: "words", text, key, files: known };
}

const DATA_URL = /^data:([a-z0-9.+/-]+);base64,([A-Za-z0-9+/]*={0,2})$/;
/** How an uploaded file is named in a message. */
const FILE_SCHEME = "turnseal:";

/** A file of the run by its name, or a new one in the message. */
function readFilePart(part: ChatMessage["parts"][number]): FileRef | FileToTake | undefined {
  const { url, mediaType, filename: name, bytes } = part;
  if (typeof url !== "string") return undefined;
  const named = typeof name === "string" ? { name } : {};
  if (url.startsWith(FILE_SCHEME)) {
    const file = { file: url.slice(FILE_SCHEME.length), mediaType, bytes, ...named };
    return isFileRef(file) ? file : undefined;
  }
  const [, type = "", data = ""] = DATA_URL.exec(url) ?? [];
  if (type === "" || data.length > FILE_BYTES_MAX * 2) return undefined;
  return { bytes: Buffer.from(data, "base64"), mediaType: type, ...named };
}

function readDecisions({ id, parts }: ChatMessage): ChatReading {
  const decisions = parts.flatMap((part): ChatDecision[] => {
    const { state, approval } = part;
    if (state !== "approval-responded" || !isPlainObject(approval)) return [];
    const { id: name, approved, reason } = approval;
    if (typeof name !== "string" || typeof approved !== "boolean") return [];
    const words = typeof reason === "string" ? { reason: reason.slice(0, REASON_LENGTH_MAX) } : {};
    return [{ approval: name, isApproved: approved, ...words }];
  });
  if (decisions.length === 0) return no("the last message has neither words nor decisions");
  const steps = parts.filter(({ type }) => type === "step-start").length;
  return { kind: "decisions", decisions, place: parseGenerationId(id), steps };
}

function no(message: string): ChatReading {
  return { kind: "refused", refusal: refuse("BODY_REFUSED", { message }) };
}
