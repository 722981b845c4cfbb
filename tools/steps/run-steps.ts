import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import {
  countTests,
  formatCounts,
  listFailedFiles,
  listFailures,
  type TestCounts,
} from "./test-counts.ts";

/** One command of a recipe. Its output is shown only when it fails. */
export interface Step {
  readonly name: string;
  /** Runs in the root of the repository, and is what to type to run the step alone. */
  readonly command: string;
  /** The report of vitest that the command leaves, to be counted. */
  readonly report?: string;
  /** The command for these files alone: what failed beside others has a second try. */
  readonly alone?: (files: readonly string[]) => string;
}

/** More files than these did not fail because the machine was busy. */
const ALONE_FILES_MAX = 3;

export interface RunOptions {
  readonly root: string;
  readonly write: (text: string) => void;
  readonly now: () => number;
}

/**
 * Runs the steps in order and stops at the first that fails. The last line it writes sums up the
 * tests.
 */
export async function runSteps(steps: readonly Step[], options: RunOptions): Promise<boolean> {
  const width = Math.max(...steps.map(({ name }) => name.length));
  let counts: TestCounts = { passed: 0, failed: 0 };
  let failure: string | undefined;
  for (const step of steps) {
    const startedAt = options.now();
    const result = await runStep(step, options.root);
    const seconds = ((options.now() - startedAt) / 1_000).toFixed(1);
    if (result.counts !== undefined) counts = add(counts, result.counts);
    const mark = result.isDone ? "ok  " : "FAIL";
    const tests = result.counts === undefined ? "" : `  ${formatCounts(result.counts)}`;
    options.write(`${mark} ${step.name.padEnd(width)} ${seconds.padStart(6)} s${tests}\n`);
    // Their names first: what was printed is long, and a reader may get no more than its beginning.
    for (const line of result.failures) options.write(`     ${line}\n`);
    if (result.isDone) continue;
    const advice = `${step.name} failed. Run it alone:\n  ${step.command}`;
    failure = `${result.output.trimEnd()}\n\n${advice}\n`;
    break;
  }
  if (failure !== undefined) {
    options.write(`\n${failure}\n`);
    // A step that broke without a failed test is a failure all the same.
    counts = { ...counts, failed: Math.max(counts.failed, 1) };
  }
  options.write(`${formatCounts(counts)}\n`);
  return failure === undefined;
}

interface StepResult {
  readonly isDone: boolean;
  readonly output: string;
  readonly counts: TestCounts | undefined;
  /** A line each; of a step that is done, what failed beside others and passed alone. */
  readonly failures: readonly string[];
}

async function runStep(step: Step, root: string): Promise<StepResult> {
  const { report } = step;
  if (report === undefined)
    return { ...(await runCommand(step.command, root)), counts: undefined, failures: [] };
  const first = await runCounted(step.command, report, root);
  const files = listFailedFiles(root, report);
  if (first.isDone || step.alone === undefined) return first;
  if (files.length === 0 || files.length > ALONE_FILES_MAX) return first;
  const second = await runCounted(step.alone(files), report, root);
  if (!second.isDone) return { ...first, output: second.output };
  const { passed, failed } = first.counts;
  return {
    isDone: true,
    output: "",
    counts: { passed: passed + failed, failed: 0 },
    failures: first.failures.map((line) => `failed beside others, passed alone: ${line}`),
  };
}

async function runCounted(command: string, report: string, root: string) {
  // The report of an earlier run would speak for a command that never got as far as its own.
  rmSync(join(root, report), { force: true });
  const result = await runCommand(command, root);
  return { ...result, counts: countTests(root, report), failures: listFailures(root, report) };
}

function add(left: TestCounts, right: TestCounts): TestCounts {
  return { passed: left.passed + right.passed, failed: left.failed + right.failed };
}

function runCommand(
  command: string,
  root: string,
): Promise<{ readonly isDone: boolean; readonly output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, { cwd: root, shell: true, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    const take = (chunk: Buffer): void => {
      output += chunk.toString();
    };
    child.stdout.on("data", take);
    child.stderr.on("data", take);
    child.on("error", (error) => resolve({ isDone: false, output: error.message }));
    child.on("close", (code) => resolve({ isDone: code === 0, output }));
  });
}
