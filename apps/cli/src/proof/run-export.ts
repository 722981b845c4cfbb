import { type PackedRun, renderPack, writePack } from "@turnseal/operate/proof";
import { bundleRun } from "@turnseal/runtime/folder";
import { line, renderNext, shortId, type Terminal, toned } from "@turnseal/terminal";
import {
  EXPORTED_VIEWS,
  type ExportedView,
  renderView,
  VIEW_ENDINGS,
} from "@turnseal/terminal/operate";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import { describeFault, writeNewFile } from "../terminal/write-new-file.ts";
import { type NamedRun, withRun } from "../with-run.ts";
import { type SubjectOptions, withSubject } from "../with-subject.ts";

export interface ExportOptions extends SubjectOptions {
  readonly out?: string;
  /** The form of the export, if it is not one file to verify. */
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
  { terminal }: Surroundings,
): Promise<ExitCode> {
  const { as } = options;
  const target = { options, terminal };
  if (as === undefined) return withRun(name, options, (named) => exportBundle(named, target));
  if (as === "evidence") return withRun(name, options, (named) => exportPack(named, target));
  const view = EXPORTED_VIEWS.find((known) => known === as);
  if (view !== undefined) return exportView(name, view, target);
  const known = [...EXPORTED_VIEWS, "evidence"].join(", ");
  const next = `turnseal export ${name} --as mplp`;
  throw new RefusalError(`--as is one of ${known}, and not ${as}`, next);
}

async function exportBundle(
  { known: { run }, folder }: NamedRun,
  { options, terminal }: ExportTarget,
): Promise<ExitCode> {
  const withContent = options.withoutContent !== true;
  const { text, hasContent } = await bundleRun(run, folder, { withContent });
  const file = options.out ?? `run-${shortId(run)}.json`;
  if (!(await writeOut(text, file, { run, terminal }))) return EXIT_CODES.done;
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
  if (out === "-") throw new RefusalError("an evidence pack is a folder", next);
  const { text, hasContent } = await bundleRun(run, folder, { withContent });
  const files = renderPack(JSON.parse(text) as PackedRun);
  try {
    await writePack(out, files);
  } catch (error) {
    throw new RefusalError(`${out} ${describeFault(error)}`, next);
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
    if (!(await writeOut(text, file, { run, terminal }))) return EXIT_CODES.done;
    const said = content ? "with its content" : "without content";
    return tell(terminal, `${run} is in ${file} as ${view}, ${said}`);
  });
}

/** Writes to a new file, or to standard output as `-`; true where there is a file to name. */
async function writeOut(text: string, file: string, { run, terminal }: OutParts): Promise<boolean> {
  if (file === "-") terminal.out.writeText(text);
  else await writeNewFile(file, text, `turnseal export ${shortId(run)} --out <another file>`);
  return file !== "-";
}

interface OutParts {
  readonly run: string;
  readonly terminal: Terminal;
}

function describeContent(isWanted: boolean, isThere: boolean): string {
  if (isThere) return "with its content";
  return isWanted ? "without content, which was erased" : "without content";
}

function tell({ out }: Terminal, what: string, next?: string): ExitCode {
  out.writeLine(line(toned("good", "✓ "), what));
  if (next !== undefined) out.writeLine(renderNext(next));
  return EXIT_CODES.done;
}
