import { type LoadedLoops, loadLoops } from "../documents/load-loops.ts";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../render/line.ts";
import { renderLoopList } from "../render/render-loops.ts";
import { renderJson } from "../render/sanitize-text.ts";
import type { Terminal } from "../render/screen.ts";
import { countOf, toJsonFinding, writeFindings } from "./report-findings.ts";
import { reportUsage } from "./report-usage.ts";

export interface CheckOptions {
  readonly lenient?: boolean;
  readonly json?: boolean;
}

/** `turnseal check`: everything that is wrong with some files, and between them. */
export async function runCheck(
  paths: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const loaded = await loadLoops(paths, options.lenient ? "lenient" : "strict");
  if (loaded.kind === "unusable") {
    return reportUsage(terminal, loaded.message, "turnseal check <a file or folder that exists>");
  }
  if (options.json) terminal.out.writeText(`${renderJson(toReport(loaded), 2)}\n`);
  else writeReport(loaded, terminal);
  return loaded.problems.length === 0 ? EXIT_CODES.done : EXIT_CODES.failed;
}

function toReport({ files, registry, problems, warnings }: LoadedLoops): object {
  return {
    status: problems.length === 0 ? "ok" : "refused",
    files: files.length,
    loops: registry.list().map(({ definition, digest }) => {
      const { id, version, kind } = definition;
      return { id, version, kind, digest };
    }),
    problems: problems.map(toJsonFinding),
    warnings: warnings.map(toJsonFinding),
  };
}

function writeReport(
  { files, registry, problems, warnings }: LoadedLoops,
  { out }: Terminal,
): void {
  writeFindings(out, warnings, "warning");
  writeFindings(out, problems, "bad");
  if (problems.length === 0) renderLoopList(registry.list()).forEach(out.writeLine);
  const verdict =
    problems.length === 0 ? toned("good", "ok") : toned("bad", countOf(problems.length, "problem"));
  const warned = warnings.length === 0 ? "" : `, ${countOf(warnings.length, "warning")}`;
  out.writeLine(line(verdict, `${warned} in ${countOf(files.length, "file")}`));
}
