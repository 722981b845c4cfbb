import type { JsonValue } from "../canonical-json.ts";

/**
 * Content of a run, named in an event: what it is stays in the blob store, under the run's own key.
 */
export interface BlobRef {
  /** HMAC-SHA256 of the bytes under the run's key, written `hmac-sha256:<64 hex digits>`. */
  readonly digest: ContentDigest;
  readonly size: number;
  readonly mediaType: string;
}
export type ContentDigest = `hmac-sha256:${string}`;

/** True for a reference to content. */
export function isBlobRef(value: JsonValue | undefined): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    typeof (value as { digest?: unknown }).digest === "string" &&
    typeof (value as { size?: unknown }).size === "number" &&
    typeof (value as { mediaType?: unknown }).mediaType === "string"
  );
}
