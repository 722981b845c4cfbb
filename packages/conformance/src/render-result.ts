import type { CaseResult, SuiteResult } from "./run-suite.ts";

/** How many problems of one case are shown: the first ones usually cause the rest. */
const PROBLEMS_SHOWN = 3;

/** One line for a passed case; a failed one lists its problems below. */
export function renderCaseResult({ name, problems }: CaseResult): string {
  if (problems.length === 0) return `ok      ${name}`;
  const shown = problems.slice(0, PROBLEMS_SHOWN).map((problem) => `          ${problem}`);
  const more = problems.length - shown.length;
  const rest = more > 0 ? [`          and ${more} more`] : [];
  return [`FAILED  ${name}`, ...shown, ...rest].join("\n");
}

/** The last line of a report. */
export function renderSummary({ passed, failed }: SuiteResult): string {
  return `${passed} passed, ${failed} failed`;
}
