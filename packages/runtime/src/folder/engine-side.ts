import type { RunLists, TenantStores } from "@turnseal/adapters/postgres";
import type { Release } from "@turnseal/host";
import type { Ingress } from "@turnseal/host/restate";

/** The parts beside the stores when an engine drives the runs. */
export interface EngineSide {
  readonly lists: RunLists;
  /** Has a run look at its log, in case a message was lost. */
  readonly look: Ingress["look"];
  /** The same for many. */
  readonly lookAll: Ingress["lookAll"];
  /** Those of the runs that are in an archive. */
  readonly listArchived: TenantStores["listArchived"];
  /** Signing keys that workers have noted. */
  readonly listKeys: TenantStores["listKeys"];
  /** Lists the deployed releases. */
  listReleases(): Promise<readonly Release[]>;
}
