import { isUuid } from "@turnseal/protocol";
import { openRuns } from "@turnseal/runtime/runs";
import { repairRuns } from "@turnseal/runtime/worker";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { PROGRESS_MS, renderProgress } from "../terminal/render-progress.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import type { StoreOptions } from "../with-run.ts";
import { renderFailed, renderRepaired } from "./render-repaired.ts";

export interface RepairCommandOptions extends StoreOptions {
  readonly afterRestore?: string;
  readonly after?: string;
  readonly blocked?: boolean;
  readonly json?: boolean;
}

const next = "turnseal repair --host <ingress> --postgres <url>";

/** `turnseal repair`: has every run looked at that should have been. It may run at any time. */
export async function runRepair(
  options: RepairCommandOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  const afterRestore =
    options.afterRestore === undefined ? undefined : new Date(options.afterRestore);
  if (afterRestore !== undefined && Number.isNaN(afterRestore.getTime()))
    return reportUsage(
      terminal,
      `${options.afterRestore} is not a time`,
      `${next} --after-restore 2030-01-31T12:00:00Z`,
    );
  const { after } = options;
  if (after !== undefined && (afterRestore === undefined || !isUuid(after)))
    return reportUsage(
      terminal,
      "--after takes the whole id of a run, and only together with --after-restore",
      `${next} --after-restore <time> --after <run>`,
    );
  if (options.host === undefined)
    return reportUsage(
      terminal,
      "only runs under an engine can be repaired: no engine is given",
      next,
    );
  const opened = await openRuns(options);
  if (opened.kind === "unusable") return reportUsage(terminal, opened.message, opened.next);
  const { stores, engine } = opened;
  if (engine === undefined) return reportUsage(terminal, "no engine is given", next);
  try {
    const { out, err } = terminal;
    let saidMs = Date.now();
    const repaired = await repairRuns({
      ...{ stores, engine, nowMs: Date.now(), withBlocked: options.blocked ?? false },
      ...(afterRestore === undefined ? {} : { afterRestore }),
      ...(after === undefined ? {} : { after }),
      onProgress: (checked, upTo) => {
        if (Date.now() - saidMs < PROGRESS_MS) return;
        saidMs = Date.now();
        err.writeLine(renderProgress(checked, upTo));
      },
    });
    if (options.json) out.writeText(`${renderJson(repaired)}\n`);
    else {
      out.writeLine(renderRepaired(repaired, { isRestore: afterRestore !== undefined }));
      renderFailed(repaired).forEach(err.writeLine);
    }
    return repaired.failed.length === 0 ? EXIT_CODES.done : EXIT_CODES.failed;
  } finally {
    await stores.close();
  }
}
