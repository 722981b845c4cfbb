import { uuidFrom } from "@turnseal/protocol";
import type { Ids } from "./ids.ts";

/** The in-memory reference: the same seed and path give the same id, in every process. */
export function seededIds(seed: string): Ids {
  return { create: (path) => uuidFrom(`${seed}\n${path}`) };
}
