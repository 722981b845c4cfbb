import { SEMANTICS } from "@turnseal/kernel";
import type { KnownRun } from "./list-runs.ts";
import type { StoreFolder } from "./store-folder.ts";

/** Why a run cannot go on as things are. */
export type Obstacle = "stale" | "unspoken" | "content-erased";

/** Looks for what keeps a run from going on; undefined when nothing does. */
export async function findObstacle(
  { stores }: StoreFolder,
  { run, projection }: Pick<KnownRun, "run" | "projection">,
): Promise<Obstacle | undefined> {
  if (projection === undefined || projection.stopped !== null) return undefined;
  const head = await stores.log.readHead(run);
  // The head only grows: one that is behind what was read of it before has lost events.
  if (head === undefined || head.sequence < projection.sequence) return "stale";
  if (projection.sequence === 0) return undefined;
  // A run that has events has a key, unless it was erased: this one is never kept.
  if ((await stores.blobs.keepKey(run, new Uint8Array(32))) === undefined) return "content-erased";
  const from = projection.openTurn?.from;
  if (from === undefined) return undefined;
  const [begun] = await stores.log.read(run, from, 1);
  return Number(begun?.content["semantics"] ?? SEMANTICS) === SEMANTICS ? undefined : "unspoken";
}
