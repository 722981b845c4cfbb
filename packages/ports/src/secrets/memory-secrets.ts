import type { Secrets } from "./secrets.ts";

/** Secrets in memory, by name. What is empty or undefined is not there. */
export function memorySecrets(values: Readonly<Record<string, string | undefined>> = {}): Secrets {
  const kept = new Map(Object.entries(values));
  return { read: async (name) => kept.get(name) || undefined };
}
