import { repairRuns } from "@turnseal/operate/worker";
import { isUuid } from "@turnseal/protocol";
import { openRuns } from "@turnseal/runtime/runs";
import { PROGRESS_MS, renderProgress, writeJson } from "@turnseal/terminal";
import { renderFailed, renderRepaired } from "@turnseal/terminal/operate";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { accept, RefusalError } from "../terminal/refusal.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import type { StoreOptions } from "../with-run.ts";

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
  { terminal }: Surroundings,
): Promise<ExitCode> {
  const afterRestore =
    options.afterRestore === undefined ? undefined : new Date(options.afterRestore);
  if (afterRestore !== undefined && Number.isNaN(afterRestore.getTime()))
    throw new RefusalError(
      `${options.afterRestore} is not a time`,
      `${next} --after-restore 2030-01-31T12:00:00Z`,
    );
  const { after } = options;
  if (after !== undefined && (afterRestore === undefined || !isUuid(after)))
    throw new RefusalError(
      "--after takes the whole id of a run, and only together with --after-restore",
      `${next} --after-restore <time> --after <run>`,
    );
  if (options.host === undefined)
    throw new RefusalError("only runs under an engine can be repaired: no engine is given", next);
  const opened = accept(await openRuns(options));
  const { stores, engine } = opened;
  if (engine === undefined) throw new RefusalError("no engine is given", next);
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
    if (options.json) writeJson(out, repaired);
    else {
      out.writeLine(renderRepaired(repaired, { isRestore: afterRestore !== undefined }));
      renderFailed(repaired).forEach(err.writeLine);
    }
    return repaired.failed.length === 0 ? EXIT_CODES.done : EXIT_CODES.failed;
  } finally {
    await stores.close();
  }
}
