/**
 * The one place that decides where the runs of a command are: in a folder of this machine, or under
 * an engine and in its database.
 */
import type { DurableOptions, DurableRuns, Unusable } from "../engine/open-durable.ts";
import { createStoreFolder, openStoreFolder, type StoreOpening } from "../folder/store-folder.ts";
import type { RunPlace } from "../run-place.ts";

/** Opens what is there. */
export async function openRuns(place: RunPlace): Promise<StoreOpening> {
  return place.host === undefined ? openStoreFolder(place.store) : openUnderEngine(place);
}

/** Opens it for a new run: a folder is made if it is not there. */
export async function createRuns(place: RunPlace): Promise<StoreOpening> {
  if (place.host !== undefined) return openUnderEngine(place);
  return { kind: "open", ...(await createStoreFolder(place.store)) };
}

/** Opens the runs of any number of tenants under an engine, on connections that they share. */
export async function openTenantRuns(
  place: Omit<RunPlace, "tenant">,
  options?: DurableOptions,
): Promise<DurableRuns | Unusable> {
  const { openDurableRuns } = await import("../engine/open-durable.ts");
  return openDurableRuns(place, options);
}

async function openUnderEngine(place: RunPlace): Promise<StoreOpening> {
  // Loaded on demand: neither the driver nor the engine's library is needed for a folder.
  const { openDurable } = await import("../engine/open-durable.ts");
  return openDurable(place);
}
