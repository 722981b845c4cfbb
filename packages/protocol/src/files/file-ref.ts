/**
 * A file in JSON: what an input, an output and a message say of it. Its bytes are content of the
 * run, and stand nowhere but in its blobs.
 */
import { isPlainObject, type JsonValue } from "../canonical-json.ts";
import type { BlobRef, ContentDigest } from "../log/blob-ref.ts";
import { FILE_BYTES_MAX, FILE_NAME_LENGTH_MAX, FILES_MAX } from "./file-limits.ts";
import { isFileType } from "./file-type.ts";

export interface FileRef {
  /** The digest of its bytes under the key of the run: in no other run is anything found by it. */
  readonly file: ContentDigest;
  readonly mediaType: string;
  readonly bytes: number;
  /** The name from its sender. Content, and hostile. */
  readonly name?: string;
}

/** The JSON Schema of a file, for the schemas of loops. */
export const FILE_SCHEMA = {
  type: "object",
  required: ["file", "mediaType", "bytes"],
  additionalProperties: false,
  properties: {
    file: { type: "string" },
    mediaType: { type: "string" },
    bytes: { type: "integer" },
    name: { type: "string" },
  },
} as const;

const KNOWN_FIELDS: ReadonlySet<string> = new Set(["file", "mediaType", "bytes", "name"]);
const DIGEST = /^hmac-sha256:[0-9a-f]{64}$/;

/** True for exactly a file: with another field it is none. */
export function isFileRef(value: unknown): value is FileRef {
  if (!isPlainObject(value)) return false;
  const { file, mediaType, bytes, name } = value;
  return (
    typeof file === "string" &&
    DIGEST.test(file) &&
    isFileType(mediaType) &&
    Number.isSafeInteger(bytes) &&
    Number(bytes) > 0 &&
    Number(bytes) <= FILE_BYTES_MAX &&
    (name === undefined || isFileName(name)) &&
    Object.keys(value).every((field) => KNOWN_FIELDS.has(field))
  );
}

/** A name of one line that is no path, and that reads as it is written. */
export function isFileName(name: unknown): name is string {
  return (
    typeof name === "string" &&
    name.length > 0 &&
    name.length <= FILE_NAME_LENGTH_MAX &&
    name.isWellFormed() &&
    !/[\u0000-\u001f\u007f-\u009f\u2028\u2029/\\]/.test(name) &&
    !/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(name) &&
    name !== "." &&
    name !== ".."
  );
}

/**
 * Lists the files in a value, each once. Lists come in their order, and objects in the order of
 * their names: so a value has the same order of files when it is read again.
 */
export function listFiles(value: JsonValue, most = FILES_MAX): FileRef[] {
  const found = new Map<string, FileRef>();
  const waiting: (JsonValue | undefined)[] = [value];
  // A value is bounded where it comes in, so that this ends.
  while (waiting.length > 0 && found.size < most) {
    const next = waiting.pop();
    if (typeof next !== "object" || next === null) continue;
    if (isFileRef(next)) {
      if (!found.has(next.file)) found.set(next.file, next);
      continue;
    }
    if (Array.isArray(next)) for (const item of next.toReversed()) waiting.push(item);
    else
      for (const name of Object.keys(next).toSorted().reverse())
        waiting.push(Reflect.get(next, name));
  }
  return [...found.values()];
}

/** The file as an event names it: without what people call it. */
export function toBlobRef({ file, bytes, mediaType }: FileRef): BlobRef {
  return { digest: file, size: bytes, mediaType };
}

/** The file that an event names. */
export function toFileRef({ digest, size, mediaType }: BlobRef): FileRef {
  return { file: digest, mediaType, bytes: size };
}
