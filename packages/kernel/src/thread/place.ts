/**
 * Where a call stands in the definition of its run, without turn and round: a prompt that is called
 * again has the same place again.
 */
import type { LoopDef } from "@turnseal/protocol";
import { keptCallsOf } from "../definition/kept-calls.ts";

export const ROOT_PLACE = "/";

export function placeBelow(place: string, below: string): string {
  return place === ROOT_PLACE ? `/${below}` : `${place}/${below}`;
}

/** The thread of a prompt; undefined where it has none. */
export function nameThread(definition: LoopDef, place: string): string | undefined {
  // Whoever is answered with what others were told has nothing to go on with.
  if (definition.prompt === undefined || keptCallsOf(definition) !== undefined) return undefined;
  const { thread } = definition.prompt;
  if (typeof thread === "string") return thread;
  return (thread ?? place === ROOT_PLACE) ? place : undefined;
}
