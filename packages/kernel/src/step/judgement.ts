import type { Amounts } from "@turnseal/protocol";
import type { Judgement } from "../judgement.ts";
import type { Action } from "./action.ts";

export type { AskTerms, Judgement } from "../judgement.ts";

/** `own` is what the action itself has reserved before: it does not stand in its own way. */
export type Judge = (action: Action, own?: Amounts) => Judgement;
