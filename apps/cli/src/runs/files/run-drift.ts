import {
  type DriftFinder,
  isDrifted,
  listRollbacks,
  openDriftFinder,
  type ReconcileSide,
  type RootDrift,
  readRollbackProgress,
  readRun,
} from "@turnseal/host";
import { hasRunKey, type Roots } from "@turnseal/ports";
import type { ManagedRoots, ReconcileWay } from "@turnseal/protocol/artifact";
import { bindRoots } from "@turnseal/runtime/project";
import { findRunRoots } from "@turnseal/runtime/runs";
import { line, renderNote, type Terminal, toned, writeJson } from "@turnseal/terminal";
import { describeRollbacks, type MissingFolders, renderWorld } from "@turnseal/terminal/runs";
import { admitNoted } from "../../admit-noted.ts";
import { EXIT_CODES, type ExitCode } from "../../exit-codes.ts";
import { listenForStop } from "../../terminal/listen-for-stop.ts";
import { accept, RefusalError } from "../../terminal/refusal.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { type NamedRun, type StoreOptions, withRun } from "../../with-run.ts";
import { reconcileFiles } from "./reconcile-files.ts";

export interface DriftOptions extends StoreOptions {
  /** Where its loops are, for what its tools inspect. */
  readonly from?: readonly string[];
  /** The way to reconcile. */
  readonly reconcile?: ReconcileWay;
  readonly root?: string;
  /** For `manual`: files to record as they are, and files to restore. */
  readonly keep?: readonly string[];
  readonly restore?: readonly string[];
  readonly yes?: boolean;
  /** Every line of what would be reconciled. */
  readonly whole?: boolean;
  /** Also what is new beside the files that are managed. */
  readonly new?: boolean;
  readonly watch?: boolean;
  readonly json?: boolean;
}

/** `turnseal drift`: the drift of the managed files of a run. Ends with 1 if there is any. */
export function runDrift(
  name: string,
  options: DriftOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { terminal, environment } = surroundings;
  const misfit = findMisfit(options);
  if (misfit !== undefined) throw new RefusalError(misfit, "turnseal drift --help");
  return withRun(name, options, async (named) => {
    const { known, folder } = named;
    const place = { from: options.from, command: "drift" };
    const isActing = options.reconcile !== undefined;
    const from = isActing ? await admitNoted(named, place, surroundings) : options.from;
    const bound = accept(await findRunRoots(known, folder, { environment, from }));
    const { roots, missing } = bound;
    if (options.reconcile !== undefined) return reconcile(named, roots, { options, surroundings });
    const finder = openDriftFinder(known.run, { stores: folder.stores, roots });
    const show = async (): Promise<readonly RootDrift[]> => {
      const found = await finder.find(await readManaged(named), options.new ? [""] : []);
      print(known.run, found, { options, terminal, missing });
      if (!options.json) await nameRollbacks(named, terminal);
      return found;
    };
    if (!options.watch) return endOf(await show());
    const folders = bindRoots(environment);
    const watchable = folders.kind === "bound" ? folders.roots : {};
    return watchDrift(finder, named, { options, terminal, missing, watchable });
  });
}

/** Options without the way that they belong to would be ignored. */
function findMisfit(options: DriftOptions): string | undefined {
  const { reconcile: way, keep, restore, root, yes, whole, watch, new: isNew } = options;
  if (way !== undefined && (watch === true || isNew === true))
    return "--reconcile excludes --watch and --new";
  if (way === undefined && [keep, restore, root, yes, whole].some((flag) => flag !== undefined))
    return "--keep, --restore, --root, --yes and --whole go with --reconcile";
  if (way !== "manual" && (keep !== undefined || restore !== undefined))
    return "--keep and --restore go with --reconcile manual";
  const both = keep?.find((path) => restore?.includes(path));
  return both === undefined ? undefined : `${both} cannot be kept and restored`;
}

async function reconcile(
  named: NamedRun,
  roots: Roots,
  {
    options,
    surroundings,
  }: { readonly options: DriftOptions; readonly surroundings: Surroundings },
): Promise<ExitCode> {
  const { reconcile: way = "manual", root, keep = [], restore = [], yes, whole, json } = options;
  const sides = new Map<string, ReconcileSide>([
    ...keep.map((path) => [path, "files"] as const),
    ...restore.map((path) => [path, "graph"] as const),
  ]);
  const given = { way, roots, root, sides, isConfirmed: yes === true, isWhole: whole, json };
  const end = await reconcileFiles(named, given, surroundings);
  if (end !== "done") return end;
  const { known, folder } = named;
  const finder = openDriftFinder(known.run, { stores: folder.stores, roots });
  const found = await finder.find(await readManaged(named));
  print(known.run, found, { options, terminal: surroundings.terminal });
  return endOf(found.filter((each) => root === undefined || each.root === root));
}

/** Rollbacks of the run have changed its files, too. */
async function nameRollbacks({ known, folder }: NamedRun, { out }: Terminal): Promise<void> {
  const { stores } = folder;
  const rollbacks = await listRollbacks(known.run, stores);
  const read = rollbacks.map(async (each) => ({
    ...each,
    progress: await readRollbackProgress(stores, each.projection),
  }));
  for (const words of describeRollbacks(undefined, await Promise.all(read)))
    out.writeLine(line(toned("faint", `  ${words}`)));
}

async function readManaged({ known, folder }: NamedRun): Promise<ManagedRoots> {
  return (await readRun(folder.stores, known.run))?.artifacts ?? {};
}

function endOf(found: readonly RootDrift[]): ExitCode {
  return found.some(isDrifted) ? EXIT_CODES.failed : EXIT_CODES.done;
}

interface Shown {
  readonly options: DriftOptions;
  readonly terminal: Terminal;
  readonly missing?: MissingFolders;
  /** Folders that tell of changes: what tools inspect does not. */
  readonly watchable?: Roots;
}

function print(run: string, found: readonly RootDrift[], shown: Shown) {
  const { options, terminal, missing } = shown;
  const { out } = terminal;
  if (options.json) writeJson(out, { run, roots: found }, options.watch ? 0 : 2);
  else renderWorld(run, found, missing).forEach(out.writeLine);
}

/** Looks again whenever something may have changed, and says so where it is other than before. */
async function watchDrift(finder: DriftFinder, named: NamedRun, shown: Shown): Promise<ExitCode> {
  const managed = await readManaged(named);
  const watched = listWatched(managed, shown);
  if (Object.keys(watched).length === 0 || !(await hasContent(named))) {
    const once = await finder.find(managed, shown.options.new ? [""] : []);
    print(named.known.run, once, shown);
    noteUnwatched("nothing is watched: the run manages no files in a folder that is bound", shown);
    return endOf(once);
  }
  const others = Object.keys(managed).filter((name) => !Object.hasOwn(watched, name));
  if (others.length > 0)
    noteUnwatched(`${others.join(", ")}: looked at when a file changes, and not watched`, shown);
  const stop = listenForStop(undefined);
  let last = "";
  let found: readonly RootDrift[] = [];
  let [isLooking, isTouched] = [false, false];
  const look = async (): Promise<void> => {
    isTouched = true;
    if (isLooking) return;
    isLooking = true;
    // Changes during a look need another look.
    while (isTouched) {
      isTouched = false;
      found = await finder.find(await readManaged(named), shown.options.new ? [""] : []);
      const text = JSON.stringify(found);
      if (text !== last) print(named.known.run, found, shown);
      last = text;
    }
    isLooking = false;
  };
  const unwatch = await finder.watch(watched, () => void look());
  await look();
  await new Promise<void>((resolve) => {
    if (stop.signal.aborted) resolve();
    stop.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  unwatch();
  stop.release();
  return endOf(found);
}

function listWatched(managed: ManagedRoots, { watchable = {} }: Shown): ManagedRoots {
  const bound = Object.entries(managed).filter(([name]) => Object.hasOwn(watchable, name));
  return Object.fromEntries(bound);
}

/** The record of an erased run is gone: there is nothing to compare with. */
function hasContent({ known, folder }: NamedRun): Promise<boolean> {
  return hasRunKey(folder.stores.blobs, known.run);
}

function noteUnwatched(words: string, { terminal: { err } }: Shown): void {
  err.writeLine(renderNote(words));
}
