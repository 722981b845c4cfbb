/**
 * Checks that content beside a run has the digest that it is listed under (spec/receipt.md §6.1).
 */
import { isPlainObject } from "../canonical-json.ts";
import { hmacSha256Hex } from "../hmac.ts";
import { fromBase64 } from "../receipt/base64.ts";
import { hasFields, type Is, isText } from "../shape.ts";
import { type Finding, finding } from "./finding.ts";

/** Content of a run, all of it or a part. */
export interface BundleContent {
  /** The run's key, base64. */
  readonly key: string;
  /** Bytes in base64 by the digest that events name them by. */
  readonly blobs: Readonly<Record<string, string>>;
}

const RUN_KEY_BYTES = 32;

/** The blobs may hold any value: each is checked when it is decoded. */
export const isContent = hasFields({ key: isText, blobs: isPlainObject }) as Is<BundleContent>;

export function checkContent(content: unknown): Finding[] {
  if (content === undefined) return [];
  if (!isContent(content))
    return [finding("BUNDLE_MALFORMED", "the content is no key with its blobs")];
  const key = fromBase64(content.key);
  if (key?.length !== RUN_KEY_BYTES)
    return [finding("CONTENT_MISMATCH", "the key of the content is not 32 bytes in base64")];
  const isSame = ([digest, text]: [string, unknown]): boolean => {
    const bytes = typeof text === "string" ? fromBase64(text) : undefined;
    return bytes !== undefined && digest === `hmac-sha256:${hmacSha256Hex(key, bytes)}`;
  };
  return Object.entries(content.blobs).every(isSame)
    ? []
    : [finding("CONTENT_MISMATCH", "content is not what its digest names")];
}
