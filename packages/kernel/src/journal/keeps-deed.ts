/** Whether the code that is there now would do what a claim of an earlier attempt says. */
import { type ContentOf, canonicalize, type EventOf } from "@turnseal/protocol";
import type { Action } from "../step/action.ts";
import type { Step } from "../step/step.ts";

/**
 * True when the action declares the effect, the terms and the needs of the claim. Only then does
 * what it promises hold for what was done before, and only then may it take the place of the claim.
 */
export function keepsDeed(
  { content }: EventOf<"action.claimed">,
  { action }: Pick<Step, "action">,
): boolean {
  return (
    content.effect === action.effect &&
    canonicalize(listDeclared(content)) === canonicalize(listDeclared(action.facts))
  );
}

/** What a tool may declare otherwise in its next build, besides its effect. */
function listDeclared(facts: ContentOf<"action.claimed"> | Action["facts"]): readonly unknown[] {
  if (facts.action !== "tool") return [];
  return [facts.term, facts.terms ?? null, facts.needs ?? null, facts.root ?? null];
}
