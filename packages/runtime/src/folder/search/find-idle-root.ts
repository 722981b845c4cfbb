import { findRootRun, readRollbackHead, readRun } from "@turnseal/host";
import { readOrigin } from "../origins/origin.ts";
import type { StoreFolder } from "../store-folder.ts";

/** A run that no process drives now. */
export interface IdleRoot {
  readonly run: string;
  /** True for a run that no command started: a server, say, reads its messages at once. */
  readonly isOfProgram: boolean;
}

/** The run to resume so that a message to one is read; undefined if a process drives it. */
export async function findIdleRoot(
  folder: StoreFolder,
  run: string,
): Promise<IdleRoot | undefined> {
  const { stores, engine } = folder;
  if (engine !== undefined) return undefined;
  const root = await findRootRun(stores, run);
  if ((await stores.leases.read(root)) !== undefined) return undefined;
  return { run: root, isOfProgram: !(await isOfCommand(root, folder)) };
}

/** True if a command started it, or started the run that it takes back. */
async function isOfCommand(run: string, { stores, path }: StoreFolder): Promise<boolean> {
  if ((await readOrigin(path, run)) !== undefined) return true;
  const taken = await readRollbackHead(stores, await readRun(stores, run));
  if (taken === undefined) return false;
  return (await readOrigin(path, await findRootRun(stores, taken.run))) !== undefined;
}
