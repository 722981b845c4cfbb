/**
 * Where a call stands in the definition of its run, without turn and round: a prompt that is called
 * again has the same place again.
 */
import type { PromptSpec } from "@turnseal/protocol";

export const ROOT_PLACE = "/";

export function placeBelow(place: string, below: string): string {
  return place === ROOT_PLACE ? `/${below}` : `${place}/${below}`;
}

/** The thread of a prompt; undefined where it has none. */
export function nameThread({ thread }: PromptSpec, place: string): string | undefined {
  if (typeof thread === "string") return thread;
  return (thread ?? place === ROOT_PLACE) ? place : undefined;
}
