/** The variables that hold a signing key. */
export type Environment = Readonly<Record<string, string | undefined>>;

export const KEY_FILE_VARIABLE = "TURNSEAL_SIGN_KEY_FILE";
export const SEED_VARIABLE = "TURNSEAL_SIGN_SEED_BASE64";
export const ISSUER_VARIABLE = "TURNSEAL_SIGN_ISSUER";
export const VALID_FROM_VARIABLE = "TURNSEAL_SIGN_VALID_FROM";
export const VALID_UNTIL_VARIABLE = "TURNSEAL_SIGN_VALID_UNTIL";

const names: ReadonlySet<string> = new Set([
  KEY_FILE_VARIABLE,
  SEED_VARIABLE,
  ISSUER_VARIABLE,
  VALID_FROM_VARIABLE,
  VALID_UNTIL_VARIABLE,
]);

/** The environment for a child process: everything but what signs. */
export function withoutSigningSecrets(environment: Environment): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    // Windows does not tell upper case from lower case in these names.
    if (value !== undefined && !names.has(name.toUpperCase())) kept[name] = value;
  }
  return kept;
}

/**
 * A variable that is set. A value read from a file often ends in a line break; an empty one is not
 * set.
 */
export function readVariable(environment: Environment, name: string): string | undefined {
  const value = Object.hasOwn(environment, name) ? environment[name]?.trim() : undefined;
  return value === "" ? undefined : value;
}
