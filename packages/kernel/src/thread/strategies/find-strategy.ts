import type { Strategy } from "@turnseal/protocol";
import { showFlat } from "./flat.ts";
import { showNone } from "./none.ts";
import type { ShowEntries } from "./strategy.ts";

const strategies: Readonly<Record<Strategy, ShowEntries>> = {
  flat: showFlat,
  none: showNone,
};

export function findStrategy(name: Strategy): ShowEntries {
  return strategies[name];
}
