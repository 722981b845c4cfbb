/**
 * Only what has no effect may be answered from a cache: a tool that reads, and a prompt that
 * reaches nothing but such tools (spec/context.md §8.2).
 */
import type { Problem, ToolSpec } from "@turnseal/protocol";
import { findBar, refuseCache } from "../definition/check-cache.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { keptCallsOf } from "../definition/kept-calls.ts";
import { listBelow, type Resolve } from "./list-below.ts";

/** What a tool declares; undefined where nobody has bound its function here. */
export type FindEffect = (
  implementation: ToolSpec["implementation"],
  version: string,
) => string | undefined;

/** What is wrong between a loop with a cache and what it calls, as their documents say. */
export function checkCaches(loop: CheckedLoop, resolve: Resolve): Problem[] {
  if (keptCallsOf(loop.definition) === undefined) return [];
  // What the document alone says was refused when it was registered.
  return listBelow(loop, resolve)
    .filter((each) => each !== loop && each.definition.kind !== "composite")
    .flatMap(({ definition }) => findBar(definition) ?? [])
    .map(refuseCache);
}

/** What is wrong with it for what its tools declare. */
export function checkCacheEffects(
  loop: CheckedLoop,
  resolve: Resolve,
  findEffect: FindEffect,
): Problem[] {
  if (keptCallsOf(loop.definition) === undefined) return [];
  return listBelow(loop, resolve).flatMap(({ definition: { id, version, tool } }) => {
    const effect = tool === undefined ? undefined : findEffect(tool.implementation, version);
    if (effect === undefined || effect === "read") return [];
    return [refuseCache(`${id} declares the effect ${effect}`)];
  });
}
