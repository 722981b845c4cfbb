/**
 * Runs the cases of a profile against a program.
 *
 * Every selected case ends as passed or failed. If a program dies, goes silent or answers nonsense,
 * the current case fails, and the program is started again for the next one.
 */
import { formatErrorChain, isLoopError } from "@turnseal/protocol";
import { createProgramSupply, type ProgramSupply } from "./program/create-program-supply.ts";
import type { Patience } from "./program/start-program.ts";
import { runCase } from "./run-case.ts";
import { runStepCase } from "./run-step-case.ts";
import type { ConformanceCase } from "./vectors/conformance-case.ts";
import { type Profile, readCases } from "./vectors/read-cases.ts";
import type { StepCase } from "./vectors/step-case.ts";

export interface SuiteOptions {
  /** A program and its arguments. */
  readonly command: readonly string[];
  readonly profile: Profile;
  /** The names of the cases to run, or beginnings of names that end with `/`. Without it: all. */
  readonly only?: readonly string[];
  readonly patience?: Patience;
}

export interface CaseResult {
  readonly name: string;
  /** What is wrong. A case without problems has passed. */
  readonly problems: readonly string[];
}

export interface SuiteResult {
  readonly results: readonly CaseResult[];
  readonly passed: number;
  readonly failed: number;
}

/** Runs the suite; `report` hears of every case as it ends. */
export async function runSuite(
  options: SuiteOptions,
  report: (result: CaseResult) => void = () => {},
): Promise<SuiteResult> {
  const cases = readCases(options.profile).filter(({ name }) => isSelected(name, options.only));
  const supply = createProgramSupply(options);
  const results: CaseResult[] = [];
  try {
    for (const item of cases) {
      const result = { name: item.name, problems: await findProblems(item, supply) };
      results.push(result);
      report(result);
    }
  } finally {
    await supply.stop();
  }
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  return { results, passed: results.length - failed, failed };
}

async function findProblems(
  item: ConformanceCase | StepCase,
  supply: ProgramSupply,
): Promise<string[]> {
  try {
    const program = await supply.take();
    return await ("steps" in item ? runStepCase(item, program) : runCase(item, program));
  } catch (error) {
    // A program that does not answer as asked is a finding about the program; anything else is a
    // fault of the suite.
    if (!isLoopError(error)) throw error;
    return [formatErrorChain(error)];
  }
}

function isSelected(name: string, only: readonly string[] | undefined): boolean {
  if (only === undefined) return true;
  return only.some((part) => name === part || (part.endsWith("/") && name.startsWith(part)));
}
