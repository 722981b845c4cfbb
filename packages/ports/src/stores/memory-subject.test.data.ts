import { manualClock } from "../clock/manual-clock.ts";
import { memoryStores } from "./memory-stores.ts";
import type { Stores } from "./stores.ts";
import type { StoresSubject } from "./stores-subject.ts";

/** The memory as a subject of the contracts, whole or with parts replaced by broken ones. */
export function memorySubject(
  replace: (stores: Stores) => Partial<Stores> = () => ({}),
): StoresSubject {
  const clock = manualClock();
  const stores = memoryStores(clock);
  return { stores: { ...stores, ...replace(stores) }, readClock: () => clock.now() };
}
