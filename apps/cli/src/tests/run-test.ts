import { writeFile } from "node:fs/promises";
import type { Finding } from "@turnseal/documents";
import { line, renderNote, type Terminal, toned, writeJson } from "@turnseal/terminal";
import { renderCase } from "@turnseal/terminal/loops";
import {
  type CaseResult,
  type HarnessCase,
  listHarnessFiles,
  readHarness,
  renderJunit,
  runCase,
  updateCase,
  writeReceipts,
} from "@turnseal/testing";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { accept, RefusalError, refuseProblems } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";

export interface TestOptions {
  /** Where receipts and bundles are written. */
  readonly receipts?: string;
  /** Writes the result of each case into its file, as the expected one. */
  readonly update?: boolean;
  /** Where results are written as JUnit XML. */
  readonly junit?: string;
  readonly json?: boolean;
}

/** `turnseal test`: runs harness files, without network and without keys. */
export async function runTest(
  paths: readonly string[],
  options: TestOptions,
  { terminal }: Surroundings,
): Promise<ExitCode> {
  const next = "turnseal test <a folder or *.harness.json>";
  const listed = accept(await listHarnessFiles(paths), { next });
  const cases: HarnessCase[] = [];
  const findings: Finding[] = [];
  for (const file of listed.files) {
    const read = await readHarness(file);
    if (read.kind === "read") cases.push(read);
    else findings.push(...read.findings);
  }
  const fix = `fix it, and turnseal test ${findings[0]?.file ?? ""}`;
  // A file that cannot be read fails the command before anything runs.
  refuseProblems(findings, { ...options, fix });
  const results: CaseResult[] = [];
  for (const each of cases) {
    const result = await runAndUpdate(each, options, terminal);
    results.push(result);
    if (!options.json) renderCase(result).forEach(terminal.out.writeLine);
    if (options.receipts !== undefined) await writeReceipts(result, options.receipts);
  }
  if (options.junit !== undefined && !(await writeJunit(options.junit, results)))
    throw new RefusalError(`${options.junit} cannot be written`, "--junit <another file>");
  return reportResults(results, options, terminal);
}

async function runAndUpdate(
  each: HarnessCase,
  { update, json }: TestOptions,
  { out, err }: Terminal,
): Promise<CaseResult> {
  const result = await runCase(each);
  if (update !== true || result.differences.length === 0) return result;
  const updated = await updateCase(result);
  if (updated === undefined) err.writeLine(renderNote(`${result.file} is changed by hand`));
  else if (!json) out.writeLine(line(toned("warning", "updated "), result.file));
  return updated ?? result;
}

async function writeJunit(file: string, results: readonly CaseResult[]): Promise<boolean> {
  return writeFile(file, renderJunit(results)).then(
    () => true,
    () => false,
  );
}

function reportResults(
  results: readonly CaseResult[],
  { json }: TestOptions,
  { out }: Terminal,
): ExitCode {
  const failed = results.filter(({ differences }) => differences.length > 0).length;
  const passed = results.length - failed;
  if (json) writeJson(out, { passed, failed, cases: results.map(toJsonCase) }, 2);
  else {
    const verdict = `${passed} passed, ${failed} failed`;
    out.writeLine(line(toned(failed === 0 ? "good" : "bad", verdict)));
  }
  return failed === 0 ? EXIT_CODES.done : EXIT_CODES.failed;
}

function toJsonCase({ name, file, run, actual, differences }: CaseResult): object {
  const status = differences.length === 0 ? "passed" : "failed";
  return { name, file, status, run: run ?? null, actual, differences };
}
