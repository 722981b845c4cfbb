import { findRootRun } from "@turnseal/host";
import { readLease } from "./lease.ts";
import type { StoreFolder } from "./store-folder.ts";

/** The run to resume so that what was said to one is read; undefined where somebody carries it. */
export async function findIdleRoot(
  { stores, path, engine }: StoreFolder,
  run: string,
): Promise<string | undefined> {
  if (engine !== undefined) return undefined;
  const root = await findRootRun(stores, run);
  return (await readLease(path, root)) === undefined ? root : undefined;
}
