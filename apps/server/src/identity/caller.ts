/**
 * The sender of a request, as the operator's own function identifies them.
 *
 * 1. A body or a path never decides who the caller is, or whose runs they see.
 * 2. Without a function, or without an answer from it, everything is refused.
 */
import { isPlainText, isTenant, UNKNOWN_PERSON } from "@turnseal/protocol";
import { isListOf } from "@turnseal/protocol/shape";
import type { Caller } from "@turnseal/sessions";

/**
 * Identifies the sender of a request; undefined for an unknown one. A rejection means that this
 * failed, and the request is refused, too. The address is that of the connection, where it is
 * known.
 */
export type Authenticate = (
  request: Request,
  address?: string,
) => Promise<Caller | undefined> | Caller | undefined;

/** UTF-16 units of the name of a person, and of one of their roles. */
export const CALLER_NAME_LENGTH_MAX = 128;
/** Roles of one person. */
export const CALLER_ROLES_MAX = 64;

/** Checks the facts of a caller; undefined unless all of them are there and within their limits. */
export function parseCaller(value: {
  readonly tenant?: unknown;
  readonly id?: unknown;
  readonly roles?: unknown;
}): Caller | undefined {
  const { tenant, id, roles = [] } = value;
  if (!isTenant(tenant) || !isName(id) || !areRoles(roles)) return undefined;
  // The log uses this name for a person without a known identity.
  if (id === UNKNOWN_PERSON) return undefined;
  return { tenant, id, roles: [...new Set(roles)] };
}

const areRoles = isListOf(isName, { most: CALLER_ROLES_MAX });

function isName(value: unknown): value is string {
  return isPlainText(value, CALLER_NAME_LENGTH_MAX) && !/\p{Cc}/u.test(value);
}
