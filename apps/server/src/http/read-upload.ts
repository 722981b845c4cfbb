/**
 * Reads a file on its way in: capped, and held to what it says it is as soon as its first bytes are
 * there. A refused file is not read to its end.
 */
import type { FileToTake } from "@turnseal/ports";
import {
  checkFileHead,
  FILE_BYTES_MAX,
  FILE_TYPES,
  HEAD_BYTES,
  isFileName,
  isFileType,
} from "@turnseal/protocol/files";
import type { Refusal } from "@turnseal/sessions";
import { refuse } from "./refusal.ts";

export type ReadUpload =
  | { readonly kind: "read"; readonly file: FileToTake }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export async function readUpload(request: Request, name: string | undefined): Promise<ReadUpload> {
  const [type = ""] = (request.headers.get("content-type") ?? "").split(";");
  const mediaType = type.trim().toLowerCase();
  if (!isFileType(mediaType)) return no(refuse("MEDIA_TYPE_REFUSED", unknownType));
  if (name !== undefined && !isFileName(name))
    return no(refuse("BODY_REFUSED", { message: "the name of the file is not accepted" }));
  if (Number(request.headers.get("content-length") ?? 0) > FILE_BYTES_MAX)
    return no(refuse("BODY_TOO_LARGE"));
  const bytes = await readChecked(request.body, mediaType);
  if ("code" in bytes) return no(bytes);
  return { kind: "read", file: { bytes, mediaType, ...(name === undefined ? {} : { name }) } };
}

const unknownType = {
  message: "the content type is not one of a file",
  next: `send content-type: one of ${FILE_TYPES.join(", ")}`,
};

async function readChecked(
  body: ReadableStream<Uint8Array> | null,
  mediaType: string,
): Promise<Uint8Array | Refusal> {
  const chunks: Uint8Array[] = [];
  let [length, isLookedAt] = [0, false];
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > FILE_BYTES_MAX) return refuse("BODY_TOO_LARGE");
    chunks.push(chunk);
    if (isLookedAt || length < HEAD_BYTES) continue;
    isLookedAt = true;
    const reason = checkFileHead(Buffer.concat(chunks), mediaType);
    if (reason !== undefined) return refuse("FILE_FALSE");
  }
  // Of a shorter one, and of its pixels, the host says the rest.
  return Buffer.concat(chunks);
}

function no(refusal: Refusal): ReadUpload {
  return { kind: "refused", refusal };
}
