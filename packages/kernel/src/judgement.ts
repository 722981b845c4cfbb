/** The rules' decision on an action, and their terms for people. */
import type { AskDecision, PassedFacts } from "@turnseal/protocol";
import type { Failed } from "./outcome.ts";

/** The deciding role, the number of approvers, the time limits, and the effect of a rejection. */
export type AskTerms = Pick<
  AskDecision,
  | "role"
  | "approvers"
  | "exclude"
  | "decideWithinMs"
  | "useWithinMs"
  | "onReject"
  | "plan"
  | "mayStand"
>;

/** The rules' decision on an action. */
export type Judgement =
  | { readonly kind: "denied"; readonly refusal: Failed }
  | { readonly kind: "allowed"; readonly facts: PassedFacts }
  | {
      readonly kind: "asked";
      readonly ask: AskTerms;
      readonly facts: PassedFacts;
      /** The tool's own text for the approver. Content. */
      readonly description?: string;
    };
