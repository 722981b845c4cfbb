/** Some views are for the operators of agents, and not for their users. */
import { OPERATOR_ROLE, type Refusal } from "@turnseal/sessions";

/** The answer to everybody else. */
export const OPERATORS_ONLY: Refusal = {
  code: "ROLE_MISSING",
  message: `this needs the role ${OPERATOR_ROLE}`,
};
