/**
 * The scope of a call's notes (spec/context.md §10). It belongs to a place in the definition: a
 * later call of the same place has the same notes.
 */
import { isTaskStrategy, type PromptSpec, type Strategy } from "@turnseal/protocol";
import { FLAT_NOTES_MAX, TASK_NOTES_MAX } from "../limits.ts";

export interface Scope {
  /** Where notes are written: a place. */
  readonly name: string;
  /** The scopes read before its own notes, the outermost first. */
  readonly above: readonly string[];
  /** How its notes are shown to this call. */
  readonly strategy: Strategy;
  /** The room of the owner, for all calls that share it. */
  readonly room: ScopeRoom;
}

/** The room of a scope. */
export interface ScopeRoom {
  /** How its tasks stand to each other. */
  readonly strategy: Strategy;
  /** Notes that it may have. */
  readonly most: number;
  /** True when the oldest note makes room; otherwise open tasks stay. */
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

/** True when the call owns the scope: its notes without a task end with the call. */
export function ownsScope(scope: Scope, place: string): boolean {
  return scope.name === place;
}
