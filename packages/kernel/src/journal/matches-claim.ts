/** Compares the current code with the claim of an earlier attempt. */
import { type ContentOf, canonicalize, type EventOf } from "@turnseal/protocol";
import type { Action } from "../step/action.ts";
import type { Step } from "../step/step.ts";

/**
 * True when the action declares the effect, the terms and the needs of the claim. Only then do its
 * promises cover the earlier attempt, and only then may it replace the claim.
 */
export function matchesClaim(
  { content }: EventOf<"action.claimed">,
  { action }: Pick<Step, "action">,
): boolean {
  return (
    content.effect === action.effect &&
    canonicalize(listDeclared(content)) === canonicalize(listDeclared(action.facts))
  );
}

/** Lists the other declarations that a new build of a tool may change, beside its effect. */
function listDeclared(facts: ContentOf<"action.claimed"> | Action["facts"]): readonly unknown[] {
  if (facts.action !== "tool") return [];
  return [facts.term, facts.terms ?? null, facts.needs ?? null, facts.root ?? null];
}
