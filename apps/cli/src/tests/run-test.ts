import { writeFile } from "node:fs/promises";
import type { Finding } from "@turnseal/runtime/project";
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
import { line, toned } from "../terminal/line.ts";
import { reportRefusal } from "../terminal/report-findings.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import { renderCase } from "./render-case.ts";

export interface TestOptions {
  /** Where receipts and bundles are written. */
  readonly receipts?: string;
  /** Writes what came of each case into its file, in place of what it expected. */
  readonly update?: boolean;
  /** Where results are written as JUnit XML. */
  readonly junit?: string;
  readonly json?: boolean;
}

/** `turnseal test`: runs harness files, without network and without keys. */
export async function runTest(
  paths: readonly string[],
  options: TestOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const listed = await listHarnessFiles(paths);
  if (listed.kind === "unusable")
    return reportUsage(terminal, listed.message, "turnseal test <a folder or *.harness.json>");
  const cases: HarnessCase[] = [];
  const findings: Finding[] = [];
  for (const file of listed.files) {
    const read = await readHarness(file);
    if (read.kind === "read") cases.push(read);
    else findings.push(...read.findings);
  }
  if (findings.length > 0) return reportUnread(findings, options, terminal);
  const results: CaseResult[] = [];
  for (const each of cases) {
    const result = await runAndUpdate(each, options, terminal);
    results.push(result);
    if (!options.json) renderCase(result).forEach(terminal.out.writeLine);
    if (options.receipts !== undefined) await writeReceipts(result, options.receipts);
  }
  if (options.junit !== undefined && !(await writeJunit(options.junit, results)))
    return reportUsage(terminal, `${options.junit} cannot be written`, "--junit <another file>");
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
  if (updated === undefined)
    err.writeLine(line(toned("warning", "note: "), `${result.file} is changed by hand`));
  else if (!json) out.writeLine(line(toned("warning", "updated "), result.file));
  return updated ?? result;
}

async function writeJunit(file: string, results: readonly CaseResult[]): Promise<boolean> {
  return writeFile(file, renderJunit(results)).then(
    () => true,
    () => false,
  );
}

/** A file that cannot be read fails the command before anything runs. */
function reportUnread(
  findings: readonly Finding[],
  options: TestOptions,
  terminal: Terminal,
): ExitCode {
  const code = reportRefusal(terminal, findings, options);
  const next = `mend it, and turnseal test ${findings[0]?.file ?? ""}`;
  if (!options.json) terminal.err.writeLine(line("  ", toned("faint", "next: "), next));
  return code;
}

function reportResults(
  results: readonly CaseResult[],
  { json }: TestOptions,
  { out }: Terminal,
): ExitCode {
  const failed = results.filter(({ differences }) => differences.length > 0).length;
  const passed = results.length - failed;
  if (json) out.writeText(`${renderJson({ passed, failed, cases: results.map(toJsonCase) }, 2)}\n`);
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
