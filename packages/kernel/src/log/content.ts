/**
 * Content of a run: stored once, named by a digest under the run's own key.
 *
 * A plain digest of content could be guessed; under a key that is erased with the content, what
 * remains says nothing.
 */
import type { Blob, BlobStore } from "@turnseal/ports";
import { canonicalize, hmacSha256Hex, type JsonValue } from "@turnseal/protocol";
import { LogError } from "./log-error.ts";

export interface Content {
  /** The blob of a value. */
  seal(value: JsonValue): Blob;
  /** The value behind a reference. */
  read(reference: { readonly digest: string }): Promise<JsonValue>;
}

export function createContent(run: string, key: Uint8Array, blobs: BlobStore): Content {
  // Results of this turn are often needed again at once: the latest stay at hand, bounded by count.
  const recent = new Map<string, JsonValue>();
  return {
    seal: (value) => {
      const bytes = new TextEncoder().encode(canonicalize(value));
      const digest = `hmac-sha256:${hmacSha256Hex(key, bytes)}` as const;
      return { digest, size: bytes.length, mediaType: "application/json", bytes };
    },
    read: async ({ digest }) => {
      const known = recent.get(digest);
      if (known !== undefined) return known;
      const bytes = await blobs.read(run, digest);
      if (bytes === undefined)
        throw new LogError(
          "LOG_CONTENT_MISSING",
          `the content ${digest} was erased or never stored`,
        );
      const value = JSON.parse(new TextDecoder().decode(bytes)) as JsonValue;
      if (recent.size >= RECENT_MAX) recent.clear();
      recent.set(digest, value);
      return value;
    },
  };
}

/** Values kept at hand. */
const RECENT_MAX = 16;
