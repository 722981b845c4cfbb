/**
 * Scopes: segments joined by colons, such as `repo:read`.
 *
 * `repo:*` covers exactly one further segment. `*` alone covers everything; only the host's own may
 * give it.
 */
import { GRANT_NAME_LENGTH_MAX } from "../tool-reference.ts";

export const EVERY_SCOPE = "*";

const scopePattern = /^[A-Za-z0-9_.-]+(:[A-Za-z0-9_.-]+)*(:\*)?$/;

/** True for a scope other than `*` alone. */
export function isScope(value: unknown): value is string {
  return (
    typeof value === "string" && value.length <= GRANT_NAME_LENGTH_MAX && scopePattern.test(value)
  );
}

/** True when one of the granted scopes covers this one. */
export function coversScope(granted: readonly string[], scope: string): boolean {
  if (granted.includes(scope) || granted.includes(EVERY_SCOPE)) return true;
  // A star stands for the last segment and no other.
  const end = scope.lastIndexOf(":");
  return end > 0 && granted.includes(`${scope.slice(0, end)}:*`);
}
