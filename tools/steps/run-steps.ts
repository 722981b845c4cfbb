import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { countTests, formatCounts, listFailures, type TestCounts } from "./test-counts.ts";

/** One command of a recipe. What it prints is shown only when it fails. */
export interface Step {
  readonly name: string;
  /** Runs in the root of the repository, and is what to type to run the step alone. */
  readonly command: string;
  /** The report of vitest that the command leaves, to be counted. */
  readonly report?: string;
}

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
    // The report of an earlier run would speak for a command that never got as far as its own.
    if (step.report !== undefined) rmSync(join(options.root, step.report), { force: true });
    const startedAt = options.now();
    const result = await runCommand(step.command, options.root);
    const seconds = ((options.now() - startedAt) / 1_000).toFixed(1);
    const counted = step.report === undefined ? undefined : countTests(options.root, step.report);
    if (counted !== undefined) counts = add(counts, counted);
    const mark = result.isDone ? "ok  " : "FAIL";
    const tests = counted === undefined ? "" : `  ${formatCounts(counted)}`;
    options.write(`${mark} ${step.name.padEnd(width)} ${seconds.padStart(6)} s${tests}\n`);
    if (result.isDone) continue;
    // Their names first: what was printed is long, and a reader may get no more than its beginning.
    const failures = step.report === undefined ? [] : listFailures(options.root, step.report);
    for (const line of failures) options.write(`     ${line}\n`);
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
