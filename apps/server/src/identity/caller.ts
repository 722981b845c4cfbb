/**
 * Whoever sends a request, as the operator's own function says.
 *
 * 1. Nothing in a body or a path says who somebody is, or whose runs they may see.
 * 2. Nobody is nobody: without a function, or without an answer from it, everything is refused.
 */
import { type Identity, isPlainText, isTenant, UNKNOWN_PERSON } from "@turnseal/protocol";
import { isListOf } from "@turnseal/protocol/shape";

export interface Caller extends Identity {
  /** Whose runs they may see: part of every lookup. */
  readonly tenant: string;
  /** When they must say again who they are: open streams end then. */
  readonly expiresAtMs?: number;
}

/**
 * Says who sends a request; undefined for nobody. A rejection means that it could not be found out,
 * and the request is refused, too. The address is that of the connection, where it is known.
 */
export type Authenticate = (
  request: Request,
  address?: string,
) => Promise<Caller | undefined> | Caller | undefined;

/** UTF-16 units of the name of a person, and of one of their roles. */
export const CALLER_NAME_LENGTH_MAX = 128;
/** Roles of one person. */
export const CALLER_ROLES_MAX = 64;

/** Takes what says who somebody is; undefined unless all of it is there and within its limits. */
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
