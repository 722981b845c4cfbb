import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { findObstacle } from "../local/find-obstacle.ts";
import { listRuns, RUNS_READ_MAX } from "../local/list-runs.ts";
import { readState } from "../local/run-state.ts";
import { line, toned } from "../render/line.ts";
import { type RunRow, renderRunList, toJsonRow } from "../render/render-runs.ts";
import { renderJson } from "../render/sanitize-text.ts";
import type { Terminal } from "../render/screen.ts";
import { type StoreOptions, withFolder } from "./with-run.ts";

export interface RunsOptions extends StoreOptions {
  readonly json?: boolean;
  /** Only those that cannot go on as things are. */
  readonly blocked?: boolean;
}

/** `turnseal runs`: every run and where it stands, the newest first. */
export function runRuns(options: RunsOptions, terminal: Terminal): Promise<ExitCode> {
  return withFolder(options, terminal, async (folder) => {
    const rows: RunRow[] = [];
    const runs = await listRuns(folder);
    for (const known of runs) {
      const state = await readState(folder, known);
      if (options.blocked !== true) rows.push({ ...known, state });
      const obstacle = options.blocked === true ? await findObstacle(folder, known) : undefined;
      if (obstacle !== undefined) rows.push({ ...known, state, obstacle });
    }
    if (options.json) terminal.out.writeText(`${renderJson(rows.map(toJsonRow), 2)}\n`);
    else if (rows.length > 0) renderRunList(rows).forEach(terminal.out.writeLine);
    else
      terminal.err.writeLine(line(runs.length === 0 ? "there are no runs" : "no run is blocked"));
    if (folder.engine !== undefined && runs.length >= RUNS_READ_MAX) {
      const note = `there may be more runs: the first ${runs.length} by id were read`;
      terminal.err.writeLine(line(toned("warning", "note: "), note));
    }
    return EXIT_CODES.done;
  });
}
