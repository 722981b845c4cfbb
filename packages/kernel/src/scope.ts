/**
 * Whose notes a call reads and writes (spec/context.md §10). A scope belongs to a place in the
 * definition, so that whoever is called there again has its notes again.
 */
import { isTaskStrategy, type PromptSpec, type Strategy } from "@turnseal/protocol";
import { FLAT_NOTES_MAX, TASK_NOTES_MAX } from "./limits.ts";

export interface Scope {
  /** Where notes are written: a place. */
  readonly name: string;
  /** What is read before its own notes, the outermost first. */
  readonly above: readonly string[];
  /** How its notes are shown to this call. */
  readonly strategy: Strategy;
  /** As its owner has it, whoever shares it. */
  readonly room: ScopeRoom;
}

/** What a scope has room for. */
export interface ScopeRoom {
  /** How its tasks stand to each other. */
  readonly strategy: Strategy;
  /** Notes that it may have. */
  readonly most: number;
  /** True when the oldest makes room, whatever it says; else only what is no open task. */
  readonly isFirstOut: boolean;
}

/** The scope of a call: a prompt may have one of its own, anything else has its caller's. */
export function openScope(
  prompt: PromptSpec | undefined,
  place: string,
  caller: Scope | undefined,
): Scope {
  const own = prompt?.context?.strategy;
  if (caller === undefined) return openOwn(place, [], own ?? "flat");
  if (prompt === undefined) return caller;
  switch (prompt.scope ?? "isolated") {
    case "isolated":
      return openOwn(place, [], own ?? "flat");
    case "shared":
      return { ...caller, strategy: own ?? caller.strategy };
    case "inherited":
      return openOwn(place, [...caller.above, caller.name], own ?? caller.strategy);
  }
}

function openOwn(name: string, above: readonly string[], strategy: Strategy): Scope {
  const isWide = isTaskStrategy(strategy) && above.length === 0;
  const most = isWide ? TASK_NOTES_MAX : FLAT_NOTES_MAX;
  return { name, above, strategy, room: { strategy, most, isFirstOut: !isWide } };
}

/** True when the call owns the scope: what belongs to no task of it is over with the call. */
export function ownsScope(scope: Scope, place: string): boolean {
  return scope.name === place;
}
