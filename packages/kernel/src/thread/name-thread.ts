import { ROOT_PLACE } from "@turnseal/folds";
import type { LoopDef } from "@turnseal/protocol";
import { keptCallsOf } from "../definition/kept-calls.ts";

/** The thread of a prompt; undefined where it has none. */
export function nameThread(definition: LoopDef, place: string): string | undefined {
  // An answer from a cache has no conversation to go on with.
  if (definition.prompt === undefined || keptCallsOf(definition) !== undefined) return undefined;
  const { thread } = definition.prompt;
  if (typeof thread === "string") return thread;
  return (thread ?? place === ROOT_PLACE) ? place : undefined;
}
