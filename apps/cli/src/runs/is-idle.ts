import { type RunProjection, readFamily } from "@turnseal/host";
import { type StoreFolder, waitsForPerson } from "@turnseal/runtime/folder";

/** True when nothing can be done before somebody says a word: here, or where it was handed to. */
export async function isIdle(projection: RunProjection, { stores }: StoreFolder): Promise<boolean> {
  for (const member of await readFamily(stores, projection)) {
    if (!waitsForPerson(member) || (await stores.inbox.has(member.run))) return false;
  }
  return true;
}
