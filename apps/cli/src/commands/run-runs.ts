import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { readLease } from "../local/lease.ts";
import { listRuns } from "../local/list-runs.ts";
import { describeState } from "../local/run-state.ts";
import { type RunRow, renderRunList, toJsonRow } from "../render/render-runs.ts";
import { renderJson } from "../render/sanitize-text.ts";
import type { Terminal } from "../render/screen.ts";
import { type StoreOptions, withFolder } from "./with-run.ts";

export interface RunsOptions extends StoreOptions {
  readonly json?: boolean;
}

/** `turnseal runs`: every run and where it stands, the newest first. */
export function runRuns(options: RunsOptions, terminal: Terminal): Promise<ExitCode> {
  return withFolder(options, terminal, async (folder) => {
    const rows: RunRow[] = [];
    for (const known of await listRuns(folder)) {
      const holder = await readLease(folder.path, known.run);
      rows.push({ ...known, state: describeState(known.projection, holder) });
    }
    if (options.json) terminal.out.writeText(`${renderJson(rows.map(toJsonRow), 2)}\n`);
    else renderRunList(rows).forEach(terminal.out.writeLine);
    return EXIT_CODES.done;
  });
}
