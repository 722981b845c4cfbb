/**
 * Checks that only calls without effects use a cache: a tool that reads, and a prompt that reaches
 * only such tools (spec/context.md §8.2).
 */
import type { Problem, ToolSpec } from "@turnseal/protocol";
import { findBar, refuseCache } from "../definition/check-cache.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { keptCallsOf } from "../definition/kept-calls.ts";
import { listBelow, type Resolve } from "./list-below.ts";
import { listNodeCaches } from "./list-node-caches.ts";

/** Returns a tool's declared effect; undefined if its function is not bound here. */
export type FindEffect = (
  implementation: ToolSpec["implementation"],
  version: string,
) => string | undefined;

/** Finds problems between a loop with a cache and its calls, by their documents. */
export function checkCaches(loop: CheckedLoop, resolve: Resolve): Problem[] {
  const ofNodes = checkNodeCaches(loop, resolve);
  if (keptCallsOf(loop.definition) === undefined) return ofNodes;
  // Problems of the document alone were refused at registration.
  return listBelow(loop, resolve)
    .filter((each) => each !== loop && each.definition.kind !== "composite")
    .flatMap(({ definition }) => findBar(definition) ?? [])
    .map(refuseCache);
}

/** Finds caches of nodes whose loop is no tool, or that keep one loop's results in two places. */
function checkNodeCaches(loop: CheckedLoop, resolve: Resolve): Problem[] {
  const own = listNodeCaches(loop.definition);
  if (own.length === 0) return [];
  const all = listBelow(loop, resolve).flatMap(({ definition }) => listNodeCaches(definition));
  return own.flatMap(({ name, strategy, path }) => {
    const [id = "", version] = name.split(" ");
    const called = resolve(id, version)?.definition;
    const bar = called && (called.kind === "tool" ? findBar(called) : `${id} is no tool`);
    if (bar !== undefined) return [{ ...refuseCache(bar), path }];
    const other = all.find((one) => one.name === name && one.strategy !== strategy);
    if (other === undefined) return [];
    const message = `calls of ${id} are kept both ${strategy} and ${other.strategy}`;
    return [{ ...refuseCache(message), path, mend: "choose one of the two" }];
  });
}

/** Finds problems of a cache by the declarations of its tools. */
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
