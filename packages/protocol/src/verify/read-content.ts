/** Content beside a run, by reference. Whether it has its digest is checked apart from this. */
import { isPlainObject, JSON_DEPTH_MAX, type JsonValue } from "../canonical-json.ts";
import { copyJson } from "../copy-json.ts";
import { fromBase64 } from "../receipt/base64.ts";
import { isContent } from "./check-content.ts";

/** The value behind a reference; undefined where it is not given, or is no JSON. */
export type ReadContent = (reference: JsonValue | undefined) => JsonValue | undefined;

export function readerOf(content: unknown): ReadContent {
  const blobs: Readonly<Record<string, unknown>> = isContent(content) ? content.blobs : {};
  return (reference) => {
    const digest = isPlainObject(reference) ? reference["digest"] : undefined;
    const text = typeof digest === "string" && Object.hasOwn(blobs, digest) ? blobs[digest] : null;
    const bytes = typeof text === "string" ? fromBase64(text) : undefined;
    return bytes === undefined ? undefined : parse(bytes);
  };
}

function parse(bytes: Uint8Array): JsonValue | undefined {
  try {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    const copied = copyJson(JSON.parse(decoder.decode(bytes)), bytes.length, JSON_DEPTH_MAX);
    return copied.kind === "copied" ? copied.value : undefined;
  } catch {
    return undefined;
  }
}
