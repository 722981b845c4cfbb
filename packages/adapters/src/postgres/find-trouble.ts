/** What a database that answers lacks, asked while everything runs. */
import type { Database } from "./open-database.ts";
import { type DurabilityOptions, listMissing } from "./standby.ts";
import { readSettingsKept } from "./statements/read-settings.ts";
import { readStandby } from "./statements/read-standby.ts";

export interface StoreTrouble {
  /** A pooler gives connections without the role and the tenant, or no standby has the commits. */
  readonly kind: "settings-dropped" | "not-replicated";
  readonly what: string;
}

export async function findTrouble(
  db: Database,
  role: string,
  { mode = "development", withoutStandby = false }: DurabilityOptions,
): Promise<StoreTrouble | undefined> {
  if (!(await readSettingsKept(db, role)))
    return {
      kind: "settings-dropped",
      what: "connections have lost their role and tenant: a pooler drops startup settings",
    };
  if (mode !== "production" || withoutStandby) return undefined;
  const missing = listMissing(await readStandby(db));
  return missing.length === 0 ? undefined : { kind: "not-replicated", what: missing.join(", ") };
}
