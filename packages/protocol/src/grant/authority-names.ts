/**
 * What terms of a grant speak of. The known names are listed; whoever needs others gives them a
 * namespace of their own, such as `acme.ledger`, so that a slip of the pen is no new name.
 */

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

/** Characters of a namespaced name. */
export const OPEN_NAME_LENGTH_MAX = 64;

const namespaced = /^[a-z][a-z0-9_-]*(\.[a-z][a-z0-9_-]*)+$/;

/** True for a dotted name in lower case, such as `payments.cents`. */
export function isNamespaced(value: unknown): value is `${string}.${string}` {
  return (
    typeof value === "string" && value.length <= OPEN_NAME_LENGTH_MAX && namespaced.test(value)
  );
}

/** True for one of the known names, or one with a namespace. */
export function isOpenName(value: unknown, known: readonly string[]): value is string {
  return (typeof value === "string" && known.includes(value)) || isNamespaced(value);
}
