import { findRootRun } from "@turnseal/host";
import type { StoreFolder } from "./store-folder.ts";

/** The run to resume so that what was said to one is read; undefined where somebody carries it. */
export async function findIdleRoot(
  { stores, engine }: StoreFolder,
  run: string,
): Promise<string | undefined> {
  if (engine !== undefined) return undefined;
  const root = await findRootRun(stores, run);
  return (await stores.leases.read(root)) === undefined ? root : undefined;
}
