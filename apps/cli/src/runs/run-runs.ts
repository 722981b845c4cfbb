import { findObstacle, listRuns, readRuns, readStanding } from "@turnseal/runtime/folder";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { openLoops } from "../loops/open-loops.ts";
import { line, toned } from "../terminal/line.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import { type StoreOptions, withFolder } from "../with-run.ts";
import { type RunRow, renderRunList, toJsonRow } from "./render-runs.ts";

export interface RunsOptions extends StoreOptions {
  readonly json?: boolean;
  /** The loops that the runs would go on with: those that they were started from, unless given. */
  readonly from?: readonly string[];
  /** Only those that cannot go on as things are. */
  readonly blocked?: boolean;
}

/** `turnseal runs`: every run and where it stands, the newest first. */
export function runRuns(options: RunsOptions, terminal: Terminal): Promise<ExitCode> {
  return withFolder(options, terminal, async (folder) => {
    const rows: RunRow[] = [];
    const { runs, more } =
      options.blocked === true ? { runs: readRuns(folder), more: 0 } : await listRuns(folder);
    let isEmpty = true;
    const loopsOf = openLoops(folder, options.from);
    for await (const known of runs) {
      isEmpty = false;
      const obstacle =
        options.blocked === true
          ? await findObstacle(folder, known, await loopsOf(known))
          : undefined;
      if (options.blocked === true && obstacle === undefined) continue;
      const state = await readStanding(folder, known);
      rows.push({ ...known, state, ...(obstacle === undefined ? {} : { obstacle }) });
    }
    if (options.json) terminal.out.writeText(`${renderJson(rows.map(toJsonRow), 2)}\n`);
    else if (rows.length > 0) renderRunList(rows).forEach(terminal.out.writeLine);
    else terminal.err.writeLine(line(isEmpty ? "there are no runs" : "no run is blocked"));
    if (more > 0) {
      const note = `${more} older runs are not listed`;
      terminal.err.writeLine(line(toned("warning", "note: "), note));
    }
    return EXIT_CODES.done;
  });
}
