import { withoutSigningSecrets } from "@turnseal/adapters/keys";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Separates what signs receipts from the rest of an environment: nothing that is started may
 * inherit it.
 */
export function takeSigningSecrets(environment: Environment): {
  readonly secrets: Environment;
  readonly rest: Environment;
} {
  const rest = withoutSigningSecrets(environment);
  const taken = Object.entries(environment).filter(([name]) => !Object.hasOwn(rest, name));
  return { secrets: Object.fromEntries(taken), rest };
}
