import { PROBLEM_LENGTH_MAX } from "../limits.ts";

/** A problem of a value, short enough to be recorded: its path may hold long names. */
export function formatProblem(problem: string): string {
  return problem.length > PROBLEM_LENGTH_MAX
    ? problem.slice(0, PROBLEM_LENGTH_MAX).toWellFormed()
    : problem;
}
