/** Finds what a reachable database lacks, while everything runs. */
import type { Database } from "./open-database.ts";
import { type DurabilityOptions, listMissing } from "./standby.ts";
import { readStandby } from "./statements/read-standby.ts";

export interface StoreTrouble {
  /** No standby has the commits. */
  readonly kind: "not-replicated";
  readonly what: string;
}

export async function findTrouble(
  db: Database,
  { mode = "development", withoutStandby = false }: DurabilityOptions,
): Promise<StoreTrouble | undefined> {
  const missing = listMissing(await readStandby(db));
  if (mode !== "production" || withoutStandby || missing.length === 0) return undefined;
  return { kind: "not-replicated", what: missing.join(", ") };
}
