/** What rules say to an action, and what they want of people. */
import type { AskDecision, PassedFacts } from "@turnseal/protocol";
import type { Failed } from "./outcome.ts";

/** Who is asked, how many, for how long, and what a no does. */
export type AskTerms = Pick<
  AskDecision,
  "role" | "approvers" | "exclude" | "decideWithinMs" | "useWithinMs" | "onReject" | "plan"
>;

/** What the rules say to an action. */
export type Judgement =
  | { readonly kind: "denied"; readonly refusal: Failed }
  | { readonly kind: "allowed"; readonly facts: PassedFacts }
  | {
      readonly kind: "asked";
      readonly ask: AskTerms;
      readonly facts: PassedFacts;
      /** What the tool itself wants a person to be asked. Content. */
      readonly description?: string;
    };
