/** A tool's declaration of its compensation, and the action that a compensation takes back. */
import { EFFECTS, type Effect } from "./outcomes.ts";
import { hasFields, hasOnly, type Is, isCount, isOneOf, isText } from "./shape.ts";

/** The loop that takes an effect back, its code, and for how long it can. */
export type DeclaredCompensation = {
  readonly loop: string;
  readonly version: string;
  /** A name for its code. */
  readonly build: string;
  /** The declared effect of its own second execution. */
  readonly effect: Effect;
  /** How long after the effect was settled. Absent: for ever. */
  readonly withinMs?: number;
};

/** The action to take back. */
export type TakenAction = {
  readonly run: string;
  readonly turn: number;
  readonly key: string;
  /** The name of the receipt of that turn. */
  readonly receipt: string;
};

const declared = { loop: isText, version: isText, build: isText, effect: isOneOf(EFFECTS) };
const limited = { withinMs: isCount };
const taken = { run: isText, turn: isCount, key: isText, receipt: isText };

/** A compensation in something larger, such as the input of a call. */
export const isDeclaredCompensation: Is<DeclaredCompensation> = hasFields(declared, limited);
export const isTakenAction: Is<TakenAction> = hasFields(taken);

/** The same in an event, where nothing else stands beside it. */
export const isRecordedCompensation: Is<DeclaredCompensation> = hasOnly(declared, limited);
export const isRecordedTaking: Is<TakenAction> = hasOnly(taken);
