/** What can be taken back of an effect, as its tool declares it, and what takes back another. */
import { EFFECTS, type Effect } from "./outcomes.ts";
import { hasFields, type Is, isCount, isOneOf, isText } from "./shape.ts";

/** The loop that takes an effect back, its code, and for how long it can. */
export type DeclaredCompensation = {
  readonly loop: string;
  readonly version: string;
  /** A name for its code. */
  readonly build: string;
  /** What it declares itself about being done twice. */
  readonly effect: Effect;
  /** How long after the effect was settled. Absent: for ever. */
  readonly withinMs?: number;
};

/** The action that is taken back. */
export type TakenAction = {
  readonly run: string;
  readonly turn: number;
  readonly key: string;
  /** The name of the receipt of that turn. */
  readonly receipt: string;
};

export const isDeclaredCompensation: Is<DeclaredCompensation> = hasFields(
  { loop: isText, version: isText, build: isText, effect: isOneOf(EFFECTS) },
  { withinMs: isCount },
);

export const isTakenAction: Is<TakenAction> = hasFields({
  run: isText,
  turn: isCount,
  key: isText,
  receipt: isText,
});
