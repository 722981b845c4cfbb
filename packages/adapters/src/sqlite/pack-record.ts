/**
 * Events as they stand in the file: deflated, with a list of words that they repeat. What an event
 * says beside field names is a few digests; spelled out, the names would take more room than the
 * content that the digests stand for.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import { invariant } from "@turnseal/protocol";
import { RECORD_WORDS } from "./record-words.ts";

const dictionary = new TextEncoder().encode(RECORD_WORDS);

/**
 * Bytes of the text of one record, written or read back: a damaged file must not fill the memory.
 */
export const RECORD_BYTES_MAX = 16 * 1024 * 1024;

export function packRecord(text: string): Uint8Array {
  const bytes = new TextEncoder().encode(text);
  invariant(bytes.length <= RECORD_BYTES_MAX, "a record is not larger than RECORD_BYTES_MAX");
  return deflateRawSync(bytes, { dictionary });
}

/**
 * Room for one event: zlib otherwise sets aside sixteen times as much for each one that is read.
 */
const CHUNK_BYTES = 1024;

/** The text of a packed record; throws when the bytes are none. */
export function unpackRecord(bytes: Uint8Array): string {
  const limits = { chunkSize: CHUNK_BYTES, maxOutputLength: RECORD_BYTES_MAX };
  return inflateRawSync(bytes, { dictionary, ...limits }).toString("utf8");
}
