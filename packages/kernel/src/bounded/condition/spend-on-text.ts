/**
 * The cost of reading texts in a condition (spec/policy.md §6). Arguments come from models and may
 * be as large as the input of a call, so each reader pays first.
 */
import { type Meter, spend } from "../meter.ts";

/** UTF-16 units of text in one step. */
export const UNITS_PER_STEP = 64;

/** Takes the steps for looking at so many UTF-16 units. */
export function spendOnText(meter: Meter, units: number): boolean {
  return spend(meter, Math.floor(units / UNITS_PER_STEP));
}
