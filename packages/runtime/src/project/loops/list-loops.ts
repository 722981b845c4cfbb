import type { Loop } from "@turnseal/protocol/authoring";
import type { Target } from "./find-target.ts";
import { toLoop } from "./load-loops.ts";

/** Every loop that was loaded, with what it brought along. */
export function listLoops({ loaded }: Pick<Target, "loaded">): Loop[] {
  return loaded.entries.map(toLoop);
}
