/** Some views are for whoever runs the agents, and not for those who talk to them. */
import type { Caller } from "../identity/caller.ts";
import type { Refusal } from "./refusal.ts";

/** The role that sees the runs of everybody, and what models are sent. */
export const OPERATOR_ROLE = "operator";

export function isOperator({ roles }: Pick<Caller, "roles">): boolean {
  return roles.includes(OPERATOR_ROLE);
}

/** Said to everybody else. */
export const OPERATORS_ONLY: Refusal = {
  status: 403,
  code: "ROLE_MISSING",
  message: `this needs the role ${OPERATOR_ROLE}`,
};
