import { type KnownRun, readKnown, runOfKey } from "@turnseal/host";
import {
  countOrigins,
  type FoundObstacle,
  findObstacle,
  findRun,
  type RunStanding,
  readNewest,
  readRunStanding,
  type StoreFolder,
} from "@turnseal/runtime/folder";
import { openLoops } from "@turnseal/runtime/runs";
import {
  countOf,
  type Line,
  line,
  renderNext,
  renderNote,
  shortId,
  toned,
  writeJson,
} from "@turnseal/terminal";
import { type RunRow, renderRunList, toJsonRow } from "@turnseal/terminal/runs";
import { EXIT_CODES, type ExitCode } from "../../exit-codes.ts";
import { accept } from "../../terminal/refusal.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { type StoreOptions, withFolder } from "../../with-run.ts";

export interface RunsOptions extends StoreOptions {
  readonly json?: boolean;
  /** The loops for the check of the runs: those of their start, unless given. */
  readonly from?: readonly string[];
  /** Only runs that cannot go on. */
  readonly blocked?: boolean;
  /** Only runs in this state. */
  readonly state?: RunStanding["kind"];
  readonly loop?: string;
  readonly grantor?: string;
  /** Only the run that was started with it. */
  readonly key?: string;
  /** Only runs that were started at this time or later. */
  readonly since?: string;
  readonly limit?: number;
  /** The run that a page before this one ended with. */
  readonly before?: string;
}

/** Runs on one page, unless the command line says how many. */
export const RUNS_PAGE = 50;

/** `turnseal runs`: runs and where they stand, the newest first, a page at a time. */
export function runRuns(options: RunsOptions, { terminal }: Surroundings): Promise<ExitCode> {
  return withFolder(options, async (folder) => {
    const place = accept(await findPlace(folder, options.before));
    const { rows: found, hasMore, isEmpty } = await readPage(folder, place.run, options);
    const rows = await markArchived(folder, found);
    const { out, err } = terminal;
    if (options.json) writeJson(out, rows.map(toJsonRow), 2);
    else if (rows.length > 0)
      renderRunList(rows, out.isLive ? out.columns : undefined).forEach(out.writeLine);
    else if (isEmpty) (await describeEmpty(folder, options)).forEach(err.writeLine);
    else err.writeLine(line(describeNone(options)));
    const last = rows.at(-1);
    if (hasMore && last !== undefined) {
      err.writeLine(renderNote("there are older runs"));
      const next = `turnseal runs --before ${shortId(last.run)}`;
      err.writeLine(renderNext(`${next}, with the same options`));
    }
    return EXIT_CODES.done;
  });
}

type Place =
  | { readonly kind: "found"; readonly run: string | undefined }
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

async function findPlace(folder: StoreFolder, before: string | undefined): Promise<Place> {
  if (before === undefined) return { kind: "found", run: undefined };
  const search = await findRun(folder, before);
  return search.kind === "found" ? { kind: "found", run: search.known.run } : search;
}

interface RunsPage {
  readonly rows: readonly RunRow[];
  readonly hasMore: boolean;
  readonly isEmpty: boolean;
}

async function markArchived(
  { engine }: StoreFolder,
  rows: readonly RunRow[],
): Promise<readonly RunRow[]> {
  const archived = (await engine?.listArchived(rows.map(({ run }) => run))) ?? [];
  const runs = new Set(archived.map(({ run }) => run));
  return rows.map((row) => (runs.has(row.run) ? { ...row, isArchived: true } : row));
}

/** Reads on until the page is full, and no further than that there is one more. */
async function readPage(
  folder: StoreFolder,
  before: string | undefined,
  options: RunsOptions,
): Promise<RunsPage> {
  const rows: RunRow[] = [];
  const { limit = RUNS_PAGE } = options;
  const loopsOf = openLoops(folder, options.from);
  const findBlock = async (known: KnownRun): Promise<FoundObstacle | undefined> =>
    options.blocked === true ? findObstacle(folder, known, await loopsOf(known)) : undefined;
  let isEmpty = true;
  for await (const known of findCandidates(folder, before, options.key)) {
    isEmpty = false;
    if (!isMeant(known, options)) continue;
    const obstacle = await findBlock(known);
    if (options.blocked === true && obstacle === undefined) continue;
    const state = await readRunStanding(folder, known);
    if (options.state !== undefined && state.kind !== options.state) continue;
    if (rows.length === limit) return { rows, hasMore: true, isEmpty };
    rows.push({ ...known, state, ...(obstacle === undefined ? {} : { obstacle }) });
  }
  return { rows, hasMore: false, isEmpty };
}

/** A run is named after its key, which is kept nowhere else. */
function findCandidates(
  folder: StoreFolder,
  before: string | undefined,
  key: string | undefined,
): AsyncIterable<KnownRun> {
  if (key === undefined) return readNewest(folder, before);
  return readNamed(folder, runOfKey(key));
}

async function* readNamed({ stores }: StoreFolder, run: string): AsyncGenerator<KnownRun> {
  yield* await readKnown(stores, [run]);
}

function isMeant({ loop, startedAt, projection }: KnownRun, options: RunsOptions): boolean {
  const { grantor, since } = options;
  if (options.loop !== undefined && loop !== options.loop) return false;
  if (grantor !== undefined && projection?.spec?.grant.grantor !== grantor) return false;
  return since === undefined || startedAt >= since;
}

async function describeEmpty(
  { path, engine }: StoreFolder,
  { before, key }: RunsOptions,
): Promise<Line[]> {
  if (key !== undefined) return [line("no run was started with this key")];
  if (before !== undefined) return [line("there are no older runs")];
  const notes = engine === undefined ? await countOrigins(path) : 0;
  if (notes === 0) return [line("there are no runs")];
  // Another database is here now, or this one was emptied.
  return [
    line(
      toned("warning", "warning: "),
      `the database has no runs, but ${countOf(notes, "run")} once started here`,
    ),
    renderNext(`put a copy of ${path}/runs.db back, then turnseal verify`),
  ];
}

function describeNone(options: RunsOptions): string {
  const { state, loop, since, grantor, blocked } = options;
  const isNarrowed = [state, loop, since, grantor].some((option) => option !== undefined);
  return isNarrowed || blocked !== true ? "no run matches" : "no run is blocked";
}
