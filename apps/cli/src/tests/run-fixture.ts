import { writeFile } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { listReachable } from "@turnseal/runtime/project";
import { findRunTarget } from "@turnseal/runtime/runs";
import {
  FixtureError,
  type FixtureSource,
  type Harness,
  makeFixture,
  readHarness,
  redactFixture,
  runCase,
} from "@turnseal/testing";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { admitNoted } from "../runs/admit-noted.ts";
import { line, toned } from "../terminal/line.ts";
import { reportRefusal } from "../terminal/report-findings.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Terminal } from "../terminal/screen.ts";
import { shortId } from "../terminal/short-id.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { type NamedRun, type StoreOptions, withRun } from "../with-run.ts";
import { renderDifferences } from "./render-case.ts";

export interface FixtureOptions extends StoreOptions {
  readonly out?: string;
  readonly redact?: readonly string[];
  readonly from?: readonly string[];
}

/** `turnseal fixture`: a run as a harness file, and whether that passes. */
export function runFixture(
  name: string,
  options: FixtureOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal } = surroundings;
  return withRun(name, { ...options, terminal }, async (named) => {
    const { run } = named.known;
    const id = shortId(run);
    const noted = { from: options.from, command: "fixture" };
    const admitted = await admitNoted(named, noted, surroundings);
    if (admitted.kind === "refused") return admitted.code;
    const target = await findRunTarget(named.known, named.folder, admitted.place.from);
    if (target.kind === "unusable") return reportUsage(terminal, target.message, target.next);
    if (target.kind === "refused") return reportRefusal(terminal, target.loaded.problems, {});
    const file = options.out ?? `run-${id}.harness.json`;
    const folder = resolve(dirname(file));
    const from = target.paths.map((path) => relative(folder, resolve(path)) || ".");
    const source = { from, loops: listReachable(target) };
    const made = await makeRedacted(named, source, options.redact ?? []);
    if (made.kind === "unusable")
      return reportUsage(terminal, made.message, `turnseal show ${id} --content`);
    try {
      // It holds content of the run.
      const text = `${JSON.stringify(made.harness, null, 2)}\n`;
      await writeFile(file, text, { flag: "wx", mode: 0o600 });
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
      const reason = code === "EEXIST" ? "exists already" : `cannot be written (${code})`;
      const next = `turnseal fixture ${id} --out <another file>.harness.json`;
      return reportUsage(terminal, `${file} ${reason}`, next);
    }
    return tryFixture(file, terminal);
  });
}

type Made =
  | { readonly kind: "redacted"; readonly harness: Harness }
  | { readonly kind: "unusable"; readonly message: string };

async function makeRedacted(
  { known: { run }, folder: { stores } }: NamedRun,
  source: Pick<FixtureSource, "from" | "loops">,
  pointers: readonly string[],
): Promise<Made> {
  try {
    return redactFixture(await makeFixture({ run, stores, ...source }), pointers);
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    return { kind: "unusable", message: `no test can be made of the run: ${error.message}` };
  }
}

/** A fixture is of use when it passes: that is tried at once. */
async function tryFixture(file: string, { out, err }: Terminal): Promise<ExitCode> {
  const read = await readHarness(file);
  if (read.kind === "refused") return reportRefusal({ out, err }, read.findings, {});
  const { differences } = await runCase(read);
  const isPassed = differences.length === 0;
  const mark = isPassed ? toned("good", "✓ ") : toned("bad", "✗ ");
  out.writeLine(
    line(mark, `${file}, ${isPassed ? "and it passes offline" : "which does not pass"}`),
  );
  renderDifferences(differences).forEach(out.writeLine);
  const next = isPassed ? `turnseal test ${file}` : `look at ${file}; what differs is above`;
  out.writeLine(line("  ", toned("faint", "next: "), next));
  return isPassed ? EXIT_CODES.done : EXIT_CODES.failed;
}
