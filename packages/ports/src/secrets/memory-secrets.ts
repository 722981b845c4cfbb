import type { Secrets } from "./secrets.ts";

/** Secrets in memory, by name. An empty or undefined value counts as absent. */
export function memorySecrets(values: Readonly<Record<string, string | undefined>> = {}): Secrets {
  const kept = new Map(Object.entries(values));
  return { read: async (name) => kept.get(name) || undefined };
}
