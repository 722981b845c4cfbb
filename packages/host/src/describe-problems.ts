/** As many problems of a value are named. */
const PROBLEMS_MAX = 5;

/** What a validator found, as words: what is wrong with all of a value has no place in it. */
export function describeProblems(problems: readonly string[]): readonly string[] {
  return problems.map((problem) => problem.replace(/^: /, "it "));
}

/** The first of them, as one sentence. */
export function describeFirst(problems: readonly string[]): string {
  return describeProblems(problems.slice(0, PROBLEMS_MAX)).join("; ");
}
