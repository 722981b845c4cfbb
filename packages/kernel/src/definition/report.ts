import type { Problem } from "@turnseal/protocol";

/** Collects what is wrong with a definition. */
export interface Report {
  readonly problems: readonly Problem[];
  readonly warnings: readonly Problem[];
  refuse(problem: Problem): void;
  warn(problem: Problem): void;
}

export function createReport(): Report {
  const problems: Problem[] = [];
  const warnings: Problem[] = [];
  return {
    problems,
    warnings,
    refuse: (problem) => problems.push(problem),
    warn: (problem) => warnings.push(problem),
  };
}
