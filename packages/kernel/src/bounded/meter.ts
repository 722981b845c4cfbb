/**
 * The work that foreign code may still do: applying a schema, analysing a pattern, evaluating a
 * condition. The size of its input is not known in advance, so work is paid for before it is done,
 * or as soon as its size is known.
 *
 * 1. The same work always takes the same steps: no clock is involved.
 * 2. Spent steps do not come back. Below zero the work is over, and its caller refuses, independent
 *    of the answer.
 */
export interface Meter {
  stepsLeft: number;
}

/** Takes steps, and says whether there were enough. */
export function spend(meter: Meter, steps: number): boolean {
  meter.stepsLeft -= steps;
  return meter.stepsLeft >= 0;
}

/** True when the work needed more than there was. */
export function isSpent({ stepsLeft }: Meter): boolean {
  return stepsLeft < 0;
}
