/**
 * Takes the secrets of tools from the environment: a tool gets the variables whose names it
 * declares, and later child processes do not inherit them.
 */
import { memorySecrets, type Secrets } from "@turnseal/ports";
import type { LoadedLoops } from "./loops/load-loops.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The names that any of these tools declares. */
export function listSecretNames({ entries }: Pick<LoadedLoops, "entries">): string[] {
  const names = entries.flatMap(({ source }) => source.tool?.declared?.secrets ?? []);
  return [...new Set(names)];
}

/** Takes them out of the environment of this process. */
export function takeToolSecrets(names: readonly string[], environment: Environment): Secrets {
  for (const name of names) delete process.env[name];
  return memorySecrets(pickVariables(names, environment));
}

/** The variables of these names that are there. */
export function pickVariables(names: readonly string[], environment: Environment): Environment {
  const wanted = new Set(names);
  return Object.fromEntries(Object.entries(environment).filter(([name]) => wanted.has(name)));
}
