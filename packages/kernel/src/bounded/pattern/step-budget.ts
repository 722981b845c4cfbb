/** What the analysis of one pattern may still cost. It goes below zero when that is too much. */
export interface StepBudget {
  stepsLeft: number;
}
