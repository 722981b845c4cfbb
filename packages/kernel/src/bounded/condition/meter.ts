/**
 * What evaluating one condition may cost (spec/policy.md §6).
 *
 * Arguments come from models and may be as large as the input of a call, so nothing about their
 * size is known when a policy is written. Each part of a condition costs a step each time it is
 * evaluated, and what looks through texts and lists pays for what it looks at, before it looks. So
 * the work is bounded whatever the arguments are and however conditions go through them, and the
 * same facts always take the same steps: no clock is asked.
 */
export interface Meter {
  stepsLeft: number;
}

/** Steps of one evaluation of one condition. */
export const CONDITION_STEPS_MAX = 250_000;

/** UTF-16 units of text that are looked at in one step. */
export const UNITS_PER_STEP = 64;

/** Takes steps, and says whether there were enough. */
export function spend(meter: Meter, steps: number): boolean {
  meter.stepsLeft -= steps;
  return meter.stepsLeft >= 0;
}

/** Takes the steps for looking at so many UTF-16 units. */
export function spendOnText(meter: Meter, units: number): boolean {
  return spend(meter, Math.floor(units / UNITS_PER_STEP));
}
