import type { Identity } from "@turnseal/protocol";

/** The person or program that talks to a run, as the front end has authenticated them. */
export interface Caller extends Identity {
  /** Whose runs they may see: part of every lookup. */
  readonly tenant: string;
  /** When the authentication expires: open streams end then. */
  readonly expiresAtMs?: number;
}

/** The role that sees the runs of everybody, and what models are sent. */
export const OPERATOR_ROLE = "operator";

export function isOperator({ roles }: Pick<Caller, "roles">): boolean {
  return roles.includes(OPERATOR_ROLE);
}
