import {
  checkTogether,
  createPricing,
  type LoadedLoops,
  loadLoops,
  readPrices,
} from "@turnseal/runtime/project";
import { countOf, line, type Terminal, toned, writeJson } from "@turnseal/terminal";
import { renderBounds, renderLoopList, toJsonBounds } from "@turnseal/terminal/loops";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { accept } from "../terminal/refusal.ts";
import { toJsonFinding, writeFindings } from "../terminal/report-findings.ts";
import { listBounds } from "./list-bounds.ts";

export interface CheckOptions {
  readonly lenient?: boolean;
  readonly json?: boolean;
  /** Shows the worst case of each loop that no other calls. */
  readonly bounds?: boolean;
  readonly turnsMax?: number;
  readonly prices?: string;
}

/** `turnseal check`: everything that is wrong with some files, and between them. */
export async function runCheck(
  paths: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const next = "turnseal check <a file or folder that exists>";
  const read = accept(await loadLoops(paths, options.lenient ? "lenient" : "strict"), { next });
  const { problems, warnings } = await checkTogether(read);
  const loaded = {
    ...read,
    problems: [...read.problems, ...problems],
    warnings: [...read.warnings, ...warnings],
  };
  const priced = options.bounds ? accept(await readPrices(options.prices)) : undefined;
  const bounds =
    priced === undefined || loaded.problems.length > 0
      ? []
      : listBounds(loaded.registry, await createPricing(loaded, priced.prices), options);
  if (options.json) {
    const report = toReport(loaded);
    const whole = options.bounds ? { ...report, bounds: bounds.map(toJsonBounds) } : report;
    writeJson(terminal.out, whole, 2);
  } else {
    writeReport(loaded, terminal);
    bounds.flatMap(renderBounds).forEach(terminal.out.writeLine);
  }
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
