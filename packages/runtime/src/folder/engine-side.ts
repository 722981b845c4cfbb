import type { RunLists, TenantStores } from "@turnseal/adapters/postgres";
import type { Release } from "@turnseal/host";
import type { Ingress } from "@turnseal/host/restate";

/** What there is besides stores where an engine carries the runs. */
export interface EngineSide {
  readonly lists: RunLists;
  /** Has a run look at its log, whatever message was lost. */
  readonly look: Ingress["look"];
  /** The same for many. */
  readonly lookAll: Ingress["lookAll"];
  /** Those of the runs that are in an archive. */
  readonly listArchived: TenantStores["listArchived"];
  /** Signing keys that workers have noted. */
  readonly listKeys: TenantStores["listKeys"];
  /** What is deployed. */
  listReleases(): Promise<readonly Release[]>;
}
