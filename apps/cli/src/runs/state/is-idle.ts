import type { RunProjection } from "@turnseal/folds";
import { readFamily } from "@turnseal/host";
import { type StoreFolder, waitsForPerson } from "@turnseal/runtime/folder";

/** True if only a person can move it: here, or in a run that it handed to. */
export async function isIdle(projection: RunProjection, { stores }: StoreFolder): Promise<boolean> {
  for (const member of await readFamily(stores, projection)) {
    if (!waitsForPerson(member) || (await stores.inbox.has(member.run))) return false;
  }
  return true;
}
