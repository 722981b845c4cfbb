import type { Amounts } from "@turnseal/protocol";
import type { Judgement } from "../judgement.ts";
import type { Action } from "./action.ts";

export type { AskTerms, Judgement } from "../judgement.ts";

/** `own` is the action's own earlier reservation, which does not count against it. */
export type Judge = (action: Action, own?: Amounts) => Judgement;
