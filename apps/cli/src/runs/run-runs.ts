import type { KnownRun } from "@turnseal/host";
import {
  findObstacle,
  listRuns,
  type RunStanding,
  readRuns,
  readStanding,
} from "@turnseal/runtime/folder";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { openLoops } from "../loops/open-loops.ts";
import { countOf } from "../terminal/count-of.ts";
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
  /** Only those that are so. */
  readonly state?: RunStanding["kind"];
  readonly loop?: string;
  /** Only those that were started at this time or later. */
  readonly since?: string;
  readonly limit?: number;
}

/** `turnseal runs`: every run and where it stands, the newest first. */
export function runRuns(options: RunsOptions, terminal: Terminal): Promise<ExitCode> {
  return withFolder(options, terminal, async (folder) => {
    const rows: RunRow[] = [];
    const { runs, more } =
      options.blocked === true ? { runs: readRuns(folder), more: 0 } : await listRuns(folder);
    let [isEmpty, unlisted] = [true, more];
    const loopsOf = openLoops(folder, options.from);
    for await (const known of runs) {
      isEmpty = false;
      if (!isMeant(known, options)) continue;
      const obstacle =
        options.blocked === true
          ? await findObstacle(folder, known, await loopsOf(known))
          : undefined;
      if (options.blocked === true && obstacle === undefined) continue;
      const state = await readStanding(folder, known);
      if (options.state !== undefined && state.kind !== options.state) continue;
      if (rows.length === options.limit) {
        unlisted += 1;
        continue;
      }
      rows.push({ ...known, state, ...(obstacle === undefined ? {} : { obstacle }) });
    }
    if (options.json) terminal.out.writeText(`${renderJson(rows.map(toJsonRow), 2)}\n`);
    else if (rows.length > 0) renderRunList(rows).forEach(terminal.out.writeLine);
    else terminal.err.writeLine(line(describeNone(isEmpty, options)));
    if (unlisted > 0) {
      const note = `${countOf(unlisted, "older run")} not listed`;
      terminal.err.writeLine(line(toned("warning", "note: "), note));
    }
    return EXIT_CODES.done;
  });
}

function isMeant({ loop, startedAt }: KnownRun, options: RunsOptions): boolean {
  if (options.loop !== undefined && loop !== options.loop) return false;
  return options.since === undefined || startedAt >= options.since;
}

function describeNone(isEmpty: boolean, { blocked, state, loop, since }: RunsOptions): string {
  if (isEmpty) return "there are no runs";
  const isNarrowed = state !== undefined || loop !== undefined || since !== undefined;
  return isNarrowed || blocked !== true ? "no run matches" : "no run is blocked";
}
