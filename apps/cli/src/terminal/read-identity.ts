import type { Identity } from "@turnseal/protocol";
import { readPerson } from "./read-person.ts";

/**
 * The person who decides from this terminal: the user of the operating system. The operator gives
 * the terminal its roles in `TURNSEAL_ROLES`, such as `finance,support`.
 */
export function readIdentity(environment: Readonly<Record<string, string | undefined>>): Identity {
  const roles = (environment["TURNSEAL_ROLES"] ?? "").split(",").map((role) => role.trim());
  return { id: readPerson(), roles: [...new Set(roles.filter((role) => role !== ""))] };
}
