/** Secrets that the process in the foreground hands to the one in the background. */

import { readStream } from "@turnseal/documents";
import { isPlainObject } from "@turnseal/protocol";
import type { Surroundings } from "../../terminal/surroundings.ts";

export async function takeSecrets(surroundings: Surroundings): Promise<Surroundings> {
  const read = await readStream(surroundings.stdin);
  const secrets: unknown = read.kind === "read" ? JSON.parse(read.text) : {};
  if (!isPlainObject(secrets)) return surroundings;
  const given = Object.entries(secrets).map(([name, value]) => [name, String(value)]);
  return {
    ...surroundings,
    environment: { ...surroundings.environment, ...Object.fromEntries(given) },
  };
}
