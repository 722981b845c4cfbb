/**
 * Checks whether a loop may be answered from a cache (spec/context.md §8.2), as far as its own
 * document shows.
 */
import { HANDOFF_TOOL, type LoopDef, type Problem, QUESTION_TOOL } from "@turnseal/protocol";
import { CACHE_TTL_MS_MAX } from "../limits.ts";
import { keptCallsOf } from "./kept-calls.ts";
import type { Report } from "./report.ts";

export function checkCache(definition: LoopDef, report: Report): void {
  const { ttlMs = 0 } = definition.policy?.cache ?? {};
  if (ttlMs > CACHE_TTL_MS_MAX)
    report.refuse({
      rule: "field-type",
      path: "/policy/cache/ttlMs",
      message: `${ttlMs} is more than ${CACHE_TTL_MS_MAX}`,
      mend: `write at most ${CACHE_TTL_MS_MAX}`,
    });
  if (keptCallsOf(definition) === undefined) return;
  const bar = findBar(definition);
  if (bar !== undefined) report.refuse(refuseCache(bar));
}

/** Returns why no call of a loop may come from a cache, with any bindings. */
export function findBar({ id, kind, prompt, tool }: LoopDef): string | undefined {
  if (kind === "composite") return `${id} is a composite: its steps may have caches of their own`;
  const { thread = false, context, notes, notesFrom, scope = "isolated" } = prompt ?? {};
  if (thread !== false || context !== undefined)
    return `${id} has a thread, and would not be told what was said`;
  if (notes !== undefined || notesFrom !== undefined || scope !== "isolated")
    return `${id} has notes, which an answer from a cache would not write or look at`;
  const name = tool?.implementation ?? "";
  if (name === QUESTION_TOOL) return `${id} asks a question`;
  if (name === HANDOFF_TOOL) return `${id} starts a run`;
  return name.startsWith("turnseal.") ? `${id} reads or writes what the run has kept` : undefined;
}

export function refuseCache(message: string): Problem {
  return {
    rule: "cache-unfit",
    path: "/policy/cache",
    message,
    mend: "remove `cache`: it is for prompts without effects and for tools that only read",
  };
}
