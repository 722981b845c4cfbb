import type { RunLists } from "@turnseal/adapters/postgres";
import type { Release } from "@turnseal/host";

/** What there is besides stores where an engine carries the runs. */
export interface EngineSide {
  readonly lists: RunLists;
  /** Has a run look at its log, whatever message was lost. */
  look(run: string): Promise<void>;
  /** What is deployed. */
  listReleases(): Promise<readonly Release[]>;
}
