import { findRootRun } from "@turnseal/host";
import type { StoreFolder } from "../store-folder.ts";

/** The run to resume so that a message to one is read; undefined if a process drives it. */
export async function findIdleRoot(
  { stores, engine }: StoreFolder,
  run: string,
): Promise<string | undefined> {
  if (engine !== undefined) return undefined;
  const root = await findRootRun(stores, run);
  return (await stores.leases.read(root)) === undefined ? root : undefined;
}
