import type { AskDecision, JsonObject } from "@turnseal/protocol";
import type { Failed } from "../outcome.ts";
import type { Action } from "./action.ts";

/** Who is asked, how many, for how long, and what a no does. */
export type AskTerms = Pick<
  AskDecision,
  "role" | "approvers" | "decideWithinMs" | "useWithinMs" | "onReject"
>;

/** What the rules say to an action. */
export type Judgement =
  | { readonly kind: "denied"; readonly refusal: Failed }
  | { readonly kind: "allowed"; readonly facts: JsonObject }
  | {
      readonly kind: "asked";
      readonly ask: AskTerms;
      readonly facts: JsonObject;
      /** What the tool itself wants a person to be asked. Content. */
      readonly description?: string;
    };

export type Judge = (action: Action) => Judgement;
