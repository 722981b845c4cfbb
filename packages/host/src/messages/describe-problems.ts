/** As many problems of a value are named. */
const PROBLEMS_MAX = 5;

/** Words the problems of a validator: a problem with the whole value has no path. */
export function describeProblems(problems: readonly string[]): readonly string[] {
  return problems.map((problem) => problem.replace(/^: /, "it "));
}

/** The first of them, as one sentence. */
export function describeFirst(problems: readonly string[]): string {
  return describeProblems(problems.slice(0, PROBLEMS_MAX)).join("; ");
}
