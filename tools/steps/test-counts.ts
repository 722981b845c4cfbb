import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

interface Report {
  readonly numPassedTests: number;
  readonly numTotalTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message?: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/**
 * The counts of a report of vitest. Every test that did not pass has failed, and so has a file that
 * could not be loaded.
 */
export function countTests(root: string, report: string): TestCounts {
  const read = readReport(root, report);
  if (read === undefined) return { passed: 0, failed: 1 };
  const { numPassedTests, numTotalTests, testResults } = read;
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  );
  return { passed: numPassedTests, failed: numTotalTests - numPassedTests + broken.length };
}

/** A line for each failed test: its file, its name and the first line of what it said. */
export function listFailures(root: string, report: string): readonly string[] {
  const { testResults } = readReport(root, report) ?? { testResults: [] };
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    if (status === "failed" && assertionResults.length === 0) return [toLine(file, message)];
    return assertionResults
      .filter((result) => result.status === "failed")
      .map(({ fullName, failureMessages }) => toLine(`${file} > ${fullName}`, failureMessages[0]));
  });
}

/** The files in which a test failed, or that could not be loaded. */
export function listFailedFiles(root: string, report: string): readonly string[] {
  const { testResults } = readReport(root, report) ?? { testResults: [] };
  return testResults
    .filter(({ status }) => status === "failed")
    .map(({ name }) => relative(root, name));
}

function toLine(name: string, message = ""): string {
  return `${name}: ${message.split("\n", 1)[0]}`;
}

function readReport(root: string, report: string): Report | undefined {
  const path = join(root, report);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Report) : undefined;
}

export function formatCounts({ passed, failed }: TestCounts): string {
  return `${passed} passed, ${failed} failed`;
}
