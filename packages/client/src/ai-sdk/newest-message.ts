import type { FileRef } from "@turnseal/protocol/files";
import type { FileUIPart, UIMessage } from "ai";

/** The part of a message that goes over the wire. */
interface SentMessage {
  readonly id: string;
  readonly role: string;
  readonly parts: readonly { readonly type: string }[];
}

/**
 * Finds the newest words of the person, or the decisions in the answered message. Of an agent's
 * answer it keeps only its place and the person's decisions.
 */
export async function newestMessage(
  messages: readonly UIMessage[],
  messageId: string | undefined,
  upload: (blob: Blob, name: string | undefined) => Promise<FileRef>,
): Promise<SentMessage[]> {
  const last = messages.at(-1);
  const named = messages.findLast(({ id, role }) => id === messageId && role === "assistant");
  const message = last?.role === "user" ? last : (named ?? last);
  if (message === undefined) return [];
  const { id, role } = message;
  if (role !== "user") return [{ id, role, parts: message.parts.flatMap(pickDecision) }];
  const parts: { readonly type: string }[] = [];
  for (const part of message.parts) {
    if (part.type === "text") parts.push({ type: "text", ...{ text: part.text } });
    if (part.type === "file") parts.push(await sendFile(part, upload));
  }
  return [{ id, role, parts }];
}

function pickDecision(part: UIMessage["parts"][number]): { readonly type: string }[] {
  if (part.type === "step-start") return [{ type: part.type }];
  if (!("approval" in part) || part.state !== "approval-responded") return [];
  const { id, approved, reason } = part.approval;
  const approval = { id, approved, ...(reason === undefined ? {} : { reason }) };
  return [{ type: part.type, ...{ state: part.state, approval } }];
}

/** A file goes before the message, which names it: a body has no room for large ones. */
async function sendFile(
  part: FileUIPart,
  upload: (blob: Blob, name: string | undefined) => Promise<FileRef>,
): Promise<{ readonly type: string }> {
  const blob = toBlob(part);
  if (blob === undefined) return part;
  const { file, mediaType, bytes, name } = await upload(blob, part.filename);
  const named = name === undefined ? {} : { filename: name };
  return { type: "file", ...{ url: `turnseal:${file}`, mediaType, bytes, ...named } };
}

/** The bytes of a data URL; undefined where it is none. */
function toBlob({ url, mediaType }: FileUIPart): Blob | undefined {
  const [, data] = /^data:[^,]*;base64,(.*)$/s.exec(url) ?? [];
  if (data === undefined) return undefined;
  const bytes = Uint8Array.from(atob(data), (unit) => unit.charCodeAt(0));
  return new Blob([bytes], { type: mediaType });
}
