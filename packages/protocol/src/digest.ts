import { canonicalize } from "./canonical-json.ts";
import { sha256Hex } from "./sha256.ts";

/** The SHA-256 of canonical JSON, written `sha256:<64 hex digits>`. */
export type Digest = `sha256:${string}`;

/** The digest of a definition: a loop, a schema, a policy. */
export function digestOf(value: unknown): Digest {
  return `sha256:${sha256Hex(canonicalize(value))}`;
}
