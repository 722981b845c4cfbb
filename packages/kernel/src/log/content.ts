/**
 * Content of a run: stored once, named by a digest under the run's own key.
 *
 * A plain digest of content could be guessed. Under a key that is erased with the content, the rest
 * reveals nothing.
 */
import type { Blob, BlobStore, FileRoot, OpenRoot } from "@turnseal/ports";
import { canonicalize, hmacSha256Hex, type JsonValue } from "@turnseal/protocol";
import { LogError } from "./log-error.ts";
import { createRunFiles, type RunFiles } from "./run-files.ts";

export interface Content {
  /** The blob of a value. */
  seal(value: JsonValue): Blob;
  /** The value behind a reference. */
  read(reference: { readonly digest: string }): Promise<JsonValue>;
  /** The mark of content that a model may ask for: a blob that no value is stored as. */
  sealMark(digest: string): Blob;
  /** True when the content with this digest was marked, in any turn of the run. */
  isMarked(digest: string): Promise<boolean>;
  readonly files: RunFiles;
  /** The blob of bytes that nobody looks into. */
  sealBytes(bytes: Uint8Array): Blob;
  /** Opens a root of files whose digests are those of the run's content. */
  openRoot(open: OpenRoot): FileRoot;
}

export function createContent(run: string, key: Uint8Array, blobs: BlobStore): Content {
  // Results of this turn are often needed again at once: the latest stay at hand, bounded by count.
  const recent = new Map<string, JsonValue>();
  const digestOf = (bytes: Uint8Array) => `hmac-sha256:${hmacSha256Hex(key, bytes)}` as const;
  const sealText = (text: string, mediaType: string): Blob => {
    const bytes = encoder.encode(text);
    return { digest: digestOf(bytes), size: bytes.length, mediaType, bytes };
  };
  // No JSON begins with these letters, so that nobody can have a mark stored by saying it.
  const sealMark = (digest: string): Blob => sealText(`may be read: ${digest}`, "text/plain");
  return {
    seal: (value) => sealText(canonicalize(value), "application/json"),
    sealMark,
    isMarked: async (digest) => (await blobs.read(run, sealMark(digest).digest)) !== undefined,
    files: createRunFiles(run, key, blobs),
    sealBytes: (given) => {
      // A copy: the caller may go on writing to its own.
      const bytes = new Uint8Array(given);
      return { digest: digestOf(bytes), size: bytes.length, mediaType: BYTES_TYPE, bytes };
    },
    openRoot: (open) => open(key),
    read: async ({ digest }) => {
      const known = recent.get(digest);
      if (known !== undefined) return known;
      const bytes = await blobs.read(run, digest);
      if (bytes === undefined)
        throw new LogError(
          "LOG_CONTENT_MISSING",
          `the content ${digest} was erased or never stored`,
        );
      // Otherwise, write access to the store would be enough to forge what others wrote.
      if (digestOf(bytes) !== digest)
        throw new LogError("LOG_CONTENT_CHANGED", `the content ${digest} is not what was stored`);
      const value = JSON.parse(new TextDecoder().decode(bytes)) as JsonValue;
      if (recent.size >= RECENT_MAX) recent.clear();
      recent.set(digest, value);
      return value;
    },
  };
}

const encoder = new TextEncoder();

const BYTES_TYPE = "application/octet-stream";

/** Values kept at hand. */
const RECENT_MAX = 16;
