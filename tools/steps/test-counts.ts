import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

interface Report {
  readonly numPassedTests: number;
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly status: string;
    readonly assertionResults: unknown[];
  }[];
}

/**
 * The counts of a report of vitest. What did not pass has failed, also a file that could not be
 * loaded.
 */
export function countTests(root: string, report: string): TestCounts {
  const path = join(root, report);
  if (!existsSync(path)) return { passed: 0, failed: 1 };
  const { numPassedTests, numTotalTests, testResults } = JSON.parse(
    readFileSync(path, "utf8"),
  ) as Report;
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return { passed: numPassedTests, failed: numTotalTests - numPassedTests + broken.length };
}

export function formatCounts({ passed, failed }: TestCounts): string {
  return `${passed} passed, ${failed} failed`;
}
