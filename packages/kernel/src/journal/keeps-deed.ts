/** Whether the code that is there now would do what a claim of an earlier attempt says. */
import { canonicalize, type LoopEvent } from "@turnseal/protocol";
import type { Step } from "../step/step.ts";

/** What a tool may declare otherwise in its next build, besides its effect. */
const declaredFacts = ["term", "terms", "needs"];

/**
 * True when the action declares the effect, the terms and the needs of the claim. Only then does
 * what it promises hold for what was done before, and only then may it take the place of the claim.
 */
export function keepsDeed({ content }: LoopEvent, { action }: Pick<Step, "action">): boolean {
  return (
    content["effect"] === action.effect &&
    declaredFacts.every(
      (name) => canonicalize(content[name] ?? null) === canonicalize(action.facts[name] ?? null),
    )
  );
}
