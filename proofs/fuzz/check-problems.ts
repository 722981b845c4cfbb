import type { Problem } from "@turnseal/protocol";

/** Checks the problems of a refusal: each has a rule, a place, words and a fix. */
export function checkProblems(problems: readonly Problem[]): string[] {
  if (problems.length === 0) return ["it is refused, and nobody says why"];
  return problems.flatMap((problem) => {
    const { rule, path, message, mend } = problem;
    const isPlace = typeof path === "string" && (path === "" || path.startsWith("/"));
    const isTold = [rule, message, mend].every((text) => typeof text === "string" && text !== "");
    return isPlace && isTold ? [] : [`a problem is not told well: ${JSON.stringify(problem)}`];
  });
}
