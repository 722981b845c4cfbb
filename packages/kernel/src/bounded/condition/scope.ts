import type { JsonValue } from "@turnseal/protocol";
import { type Meter, spend } from "../meter.ts";
import { STEPS_EXHAUSTED, type Value } from "./value.ts";

/** The facts and items for one evaluation. */
export interface Scope extends Meter {
  readonly facts: Readonly<Record<string, JsonValue>>;
  /** The items that macros are at, the outermost first. */
  readonly items: JsonValue[];
}

/** A part of an expression, ready to be evaluated. */
export type Evaluate = (scope: Scope) => Value;

/** A part that costs a step each time. */
export function metered(evaluate: Evaluate): Evaluate {
  return (scope) => (spend(scope, 1) ? evaluate(scope) : STEPS_EXHAUSTED);
}
