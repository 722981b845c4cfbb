import type { Identity } from "@turnseal/protocol";
import { readPerson } from "./read-person.ts";

/**
 * Who decides from this terminal: the user as the operating system knows them, with the roles that
 * the operator gave to the terminal in `TURNSEAL_ROLES`, such as `finance,support`.
 */
export function readIdentity(environment: Readonly<Record<string, string | undefined>>): Identity {
  const roles = (environment["TURNSEAL_ROLES"] ?? "").split(",").map((role) => role.trim());
  return { id: readPerson(), roles: [...new Set(roles.filter((role) => role !== ""))] };
}
