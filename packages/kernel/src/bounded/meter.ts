/**
 * What foreign code may still cost: a schema that is applied, a pattern that is analysed, a
 * condition that is evaluated. Nothing about the size of what it meets is known when it is written,
 * so work is paid for before it is done, or as soon as its size is known.
 *
 * 1. The same work always takes the same steps: no clock is asked.
 * 2. Steps that were spent do not come back. Below zero it is over, and whoever started the work
 *    refuses, whatever the answer would have been.
 */
export interface Meter {
  stepsLeft: number;
}

/** Takes steps, and says whether there were enough. */
export function spend(meter: Meter, steps: number): boolean {
  meter.stepsLeft -= steps;
  return meter.stepsLeft >= 0;
}

/** True when more was asked for than there was. */
export function isSpent({ stepsLeft }: Meter): boolean {
  return stepsLeft < 0;
}
