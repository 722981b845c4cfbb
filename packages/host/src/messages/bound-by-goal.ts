import type { LoopPolicy, RunBounds } from "@turnseal/protocol";

/**
 * Adds the goal of a loop to the bounds of a run that states none, with one turn unless they say
 * how many. A run that awaits signals ends with them, and not with one answer.
 */
export function boundByGoal(
  policy: LoopPolicy | undefined,
  bounds: Partial<RunBounds>,
): Partial<RunBounds> {
  const goal = policy?.goal;
  const isAwaiting = bounds.awaits !== undefined || bounds.schedules !== undefined;
  if (goal === undefined || bounds.goal !== undefined || isAwaiting) return bounds;
  return { goal, turnsMax: 1, ...bounds };
}
