import { type ContentOf, canonicalize, type ToolFacts } from "@turnseal/protocol";
import type { Action } from "./action.ts";

type Code = Partial<Pick<ToolFacts, "build" | "compensation" | "irreversible">>;

/** The code of an action, and what would take it back. What is no tool has none of its own. */
export function codeOf(facts: Action["facts"] | ContentOf<"approval.requested">): string {
  return nameCode(facts.action === "tool" ? facts : {});
}

/** The same of whatever names it. */
export function nameCode({ build, compensation, irreversible }: Code): string {
  return canonicalize({
    build: build ?? null,
    compensation: compensation ?? null,
    irreversible: irreversible ?? null,
  });
}
