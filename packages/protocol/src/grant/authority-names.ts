/**
 * The names that terms of a grant use. The known names are listed; others need a namespace, such as
 * `acme.ledger`, so that a misspelling is no new name.
 */
import { isNamespaced } from "../namespaced.ts";

export const RESOURCE_FAMILIES = [
  "github_repo",
  "workspace",
  "filesystem",
  "network",
  "deployment",
  "credential",
  "effect",
  "artifact",
  "harness",
  "publication",
] as const;

export const VERBS = [
  "read",
  "write",
  "comment",
  "review",
  "approve",
  "merge",
  "create",
  "update",
  "delete",
  "execute",
  "verify",
  "estimate",
  "prepare",
  "commit",
  "reverse",
  "publish",
  "spawn_child",
  "revoke",
] as const;

export const CAPABILITIES = [
  "filesystem_read",
  "filesystem_write",
  "network_egress",
  "secret_read",
  "process_spawn",
  "provider_mutation",
  "public_publication",
  "child_harness_spawn",
  "effect_single_use_capability",
] as const;

/** True for one of the known names, or one with a namespace. */
export function isOpenName(value: unknown, known: readonly string[]): value is string {
  return (typeof value === "string" && known.includes(value)) || isNamespaced(value);
}
