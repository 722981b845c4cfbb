import { type ContentOf, canonicalize, type ToolFacts } from "@turnseal/protocol";
import type { Action } from "./action.ts";

type Code = Partial<Pick<ToolFacts, "build" | "compensation" | "irreversible">>;

/**
 * The code of an action and of its compensation. An action that is no tool has no code of its own.
 */
export function codeOf(facts: Action["facts"] | ContentOf<"approval.requested">): string {
  return nameCode(facts.action === "tool" ? facts : {});
}

/** The same name for equal code, from any source. */
export function nameCode({ build, compensation, irreversible }: Code): string {
  return canonicalize({
    build: build ?? null,
    compensation: compensation ?? null,
    irreversible: irreversible ?? null,
  });
}
