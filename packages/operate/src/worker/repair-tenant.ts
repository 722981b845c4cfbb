import type { Peers } from "@turnseal/runtime/engine";
import { postJson } from "@turnseal/runtime/engine";
import { type Repaired, repairRuns } from "./repair-runs.ts";

export interface TenantToRepair {
  readonly peers: Extract<Peers, { kind: "loaded" }>;
  /** Where the engine takes messages. */
  readonly ingress: string;
  readonly postgres: string;
  readonly tenant: string;
}

/** Finds overdue runs of a tenant, and has them looked at. */
export async function repairTenant({
  peers,
  ingress,
  postgres,
  tenant,
}: TenantToRepair): Promise<Repaired> {
  const stores = await peers.openPostgresStores({ url: postgres, tenant });
  const { lookAll } = peers.createIngress({ ingress, tenant, post: postJson });
  try {
    const engine = { lists: stores.lists, lookAll };
    return await repairRuns({ stores, engine, nowMs: Date.now() });
  } finally {
    await stores.close();
  }
}
