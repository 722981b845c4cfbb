import { writeFile } from "node:fs/promises";
import { bundleRun } from "@turnseal/runtime/folder";
import { type PackedRun, renderPack, writePack } from "@turnseal/runtime/proof";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Terminal } from "../terminal/screen.ts";
import { shortId } from "../terminal/short-id.ts";
import { type NamedRun, withRun } from "../with-run.ts";
import { type SubjectOptions, withSubject } from "../with-subject.ts";
import { EXPORTED_VIEWS, type ExportedView, renderView, VIEW_ENDINGS } from "./render-view.ts";

export interface ExportOptions extends SubjectOptions {
  readonly out?: string;
  /** What it is exported as, where that is not one file to verify. */
  readonly as?: string;
  /** Commander's way to spell `--without-content`. */
  readonly withoutContent?: boolean;
}

interface ExportTarget {
  readonly options: ExportOptions;
  readonly terminal: Terminal;
}

/** `turnseal export`: a run as one file, which a stranger verifies with a public key alone. */
export function runExport(
  name: string,
  options: ExportOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const { as } = options;
  const target = { options, terminal };
  if (as === undefined)
    return withRun(name, { ...options, terminal }, (named) => exportBundle(named, target));
  if (as === "evidence")
    return withRun(name, { ...options, terminal }, (named) => exportPack(named, target));
  const view = EXPORTED_VIEWS.find((known) => known === as);
  if (view !== undefined) return exportView(name, view, target);
  const known = [...EXPORTED_VIEWS, "evidence"].join(", ");
  const next = `turnseal export ${name} --as mplp`;
  return Promise.resolve(reportUsage(terminal, `--as is one of ${known}, and not ${as}`, next));
}

async function exportBundle(
  { known: { run }, folder }: NamedRun,
  { options, terminal }: ExportTarget,
): Promise<ExitCode> {
  const withContent = options.withoutContent !== true;
  const { text, hasContent } = await bundleRun(run, folder, { withContent });
  const file = options.out ?? `run-${shortId(run)}.json`;
  const failed = await writeOut(text, file, { run, terminal });
  if (failed !== undefined || file === "-") return failed ?? EXIT_CODES.done;
  const content = describeContent(withContent, hasContent);
  return tell(terminal, `${run} is in ${file}, ${content}`, `turnseal verify ${file}`);
}

/** The same facts as a folder of files that are read without us. */
async function exportPack(
  { known: { run }, folder }: NamedRun,
  { options, terminal }: ExportTarget,
): Promise<ExitCode> {
  const withContent = options.withoutContent !== true;
  const out = options.out ?? `run-${shortId(run)}-evidence`;
  const next = `turnseal export ${shortId(run)} --as evidence --out <another folder>`;
  if (out === "-") return reportUsage(terminal, "an evidence pack is a folder", next);
  const { text, hasContent } = await bundleRun(run, folder, { withContent });
  const files = renderPack(JSON.parse(text) as PackedRun);
  try {
    await writePack(out, files);
  } catch (error) {
    return reportUsage(terminal, `${out} ${describeFault(error)}`, next);
  }
  const content = describeContent(withContent, hasContent);
  const what = `${run} is in ${out}, ${files.size} files, ${content}`;
  return tell(terminal, what, `turnseal verify ${out}`);
}

/** Of a run of the store, or of one in an export: then it is worth what the export is. */
function exportView(
  name: string,
  view: ExportedView,
  { options, terminal }: ExportTarget,
): Promise<ExitCode> {
  return withSubject(name, { ...options, terminal }, async ({ known: { run }, stores }) => {
    const content = options.withoutContent !== true;
    const text = await renderView(view, { run, stores }, { content });
    const file = options.out ?? `run-${shortId(run)}.${VIEW_ENDINGS[view]}`;
    const failed = await writeOut(text, file, { run, terminal });
    if (failed !== undefined || file === "-") return failed ?? EXIT_CODES.done;
    const said = content ? "with its content" : "without content";
    return tell(terminal, `${run} is in ${file} as ${view}, ${said}`);
  });
}

async function writeOut(
  text: string,
  file: string,
  { run, terminal }: { readonly run: string; readonly terminal: Terminal },
): Promise<ExitCode | undefined> {
  if (file === "-") {
    terminal.out.writeText(text);
    return undefined;
  }
  try {
    // It may hold content, and the key to it.
    await writeFile(file, text, { flag: "wx", mode: 0o600 });
    return undefined;
  } catch (error) {
    const next = `turnseal export ${shortId(run)} --out <another file>`;
    return reportUsage(terminal, `${file} ${describeFault(error)}`, next);
  }
}

function describeFault(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
  return code === "EEXIST" ? "exists already" : `cannot be written (${code})`;
}

function describeContent(isWanted: boolean, isThere: boolean): string {
  if (isThere) return "with its content";
  return isWanted ? "without content, which was erased" : "without content";
}

function tell({ out }: Terminal, what: string, next?: string): ExitCode {
  out.writeLine(line(toned("good", "✓ "), what));
  if (next !== undefined) out.writeLine(line("  ", toned("faint", "next: "), next));
  return EXIT_CODES.done;
}
