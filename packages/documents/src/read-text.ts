import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import type { Finding } from "./finding.ts";

/** Bytes of one file: a document at its own limit fits, with room for indentation. */
export const FILE_BYTES_MAX = 4 * 1024 * 1024;

export type ReadText =
  | { readonly kind: "read"; readonly text: string }
  | ({ readonly kind: "refused" } & Pick<Finding, "rule" | "message" | "mend">);

/** Reads a file as UTF-8 text, and never much more than `bytesMax` of it. */
export async function readText(file: string, bytesMax = FILE_BYTES_MAX): Promise<ReadText> {
  try {
    return await readStream(createReadStream(file, { end: bytesMax }), bytesMax);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
    if (code === "ENOENT") {
      const message = "the file does not exist";
      return { kind: "refused", rule: "file-unreadable", message, mend: "name one that does" };
    }
    const message = `the file cannot be read (${code})`;
    return { kind: "refused", rule: "file-unreadable", message, mend: "check its permissions" };
  }
}

/** Reads a stream as UTF-8 text, within the same limit. */
export async function readStream(stream: Readable, bytesMax = FILE_BYTES_MAX): Promise<ReadText> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(Buffer.from(chunk));
    bytes += chunk.length;
    if (bytes <= bytesMax) continue;
    const message = `larger than ${bytesMax} bytes`;
    return { kind: "refused", rule: "document-size", message, mend: "make it smaller" };
  }
  return decodeText(Buffer.concat(chunks));
}

function decodeText(bytes: Uint8Array): ReadText {
  try {
    return { kind: "read", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { kind: "refused", rule: "json", message: "not UTF-8", mend: "save it as UTF-8" };
  }
}
