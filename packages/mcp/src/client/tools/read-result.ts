/**
 * The result of a call, as a loop answers it: structured content where the tool has a schema of it,
 * and its parts otherwise.
 */
import { isPlainObject, type JsonObject, type JsonValue } from "@turnseal/protocol";
import type { ToolContext } from "@turnseal/protocol/authoring";
import { PARTS_MAX, TEXT_LENGTH_MAX } from "../limits.ts";
import { answeredError } from "../wire/explain-failure.ts";
import { readInputRequired } from "./ask-person.ts";

/** The schema of an output in parts. */
export const PARTS_SCHEMA: JsonObject = {
  type: "object",
  properties: {
    parts: { type: "array", items: { type: "object", required: ["kind"] } },
    isCut: { type: "boolean" },
  },
  required: ["parts", "isCut"],
};

export interface ResultReader {
  /** The name of the tool, for people. */
  readonly tool: string;
  readonly isStructured: boolean;
  readonly isErrorUndone: boolean;
  readonly context: Pick<ToolContext, "file">;
}

export async function readResult(result: unknown, reader: ResultReader): Promise<JsonValue> {
  if (!isPlainObject(result)) throw new Error("the server answered with what is no result");
  const asking = readInputRequired(reader.tool, result as JsonObject);
  if (asking !== undefined) throw asking;
  const { content, structuredContent, isError } = result;
  const parts: unknown[] = Array.isArray(content) ? content : [];
  if (isError === true) throw answeredError(joinTexts(parts), reader.isErrorUndone);
  // Without its content it is null, which the schema refuses.
  if (reader.isStructured) return (structuredContent ?? null) as JsonValue;
  const room = { left: TEXT_LENGTH_MAX, isCut: parts.length > PARTS_MAX };
  const read: JsonValue[] = [];
  for (const part of parts.slice(0, PARTS_MAX)) read.push(await readPart(part, room, reader));
  return { parts: read, isCut: room.isCut };
}

function joinTexts(parts: readonly unknown[]): string {
  const texts = parts.flatMap((part) =>
    isPlainObject(part) && typeof part["text"] === "string" ? [part["text"]] : [],
  );
  return texts.length === 0 ? "without a word" : texts.join("\n");
}

interface Room {
  left: number;
  isCut: boolean;
}

async function readPart(
  part: unknown,
  room: Room,
  { context }: Pick<ResultReader, "context">,
): Promise<JsonValue> {
  const { type, text, data, mimeType, uri, name, resource } = isPlainObject(part) ? part : {};
  const { text: inner, blob, mimeType: innerType, uri: innerUri } = Object(resource);
  if (type === "text") return { kind: "text", text: cut(text, room) };
  if (type === "image" || type === "audio") return readBytes({ data, mimeType }, room, context);
  if (type === "resource_link") return { kind: "link", uri: cut(uri, room), name: cut(name, room) };
  if (type !== "resource") return { kind: "unknown" };
  const at = { uri: cut(innerUri, room) };
  if (typeof inner === "string") return { kind: "resource", ...at, text: cut(inner, room) };
  return { ...at, ...(await readBytes({ data: blob, mimeType: innerType }, room, context)) };
}

function cut(value: unknown, room: Room): string {
  const text = typeof value === "string" ? value : "";
  const kept = text.slice(0, room.left).toWellFormed();
  room.isCut ||= text.length > room.left;
  room.left -= kept.length;
  return kept;
}

/** A file of the run, or a description of bytes that cannot be one. */
async function readBytes(
  { data, mimeType }: { readonly data: unknown; readonly mimeType: unknown },
  room: Room,
  context: Pick<ToolContext, "file">,
): Promise<JsonObject> {
  const bytes = Buffer.from(typeof data === "string" ? data : "", "base64");
  const mediaType = typeof mimeType === "string" ? mimeType.slice(0, 100).toWellFormed() : "";
  try {
    const file = await context.file(new Uint8Array(bytes), mediaType);
    return { kind: "file", file: file as unknown as JsonObject };
  } catch {
    room.isCut = true;
    return { kind: "bytes", bytes: bytes.length, mediaType };
  }
}
