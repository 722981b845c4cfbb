/**
 * `turnseal dev --watch`: changed definitions get a worker of their own, beside the workers of open
 * runs.
 *
 * 1. A load that fails changes nothing: the last good definitions are still served.
 * 2. A run keeps the definitions that it was started with. Their worker stays while a run needs it,
 *    and no run moves to another definition.
 * 3. The same definitions with other code of tools are the same release: the new worker takes over,
 *    and the one before ends what it began.
 */
import type { Registry } from "@turnseal/kernel";
import {
  drainRelease,
  type OpenedDeploy,
  openDeploy,
  removeRelease,
} from "@turnseal/operate/deploy";
import { deployWorker, startWorker, type Worker } from "@turnseal/operate/worker";
import { findTakenPort } from "@turnseal/runtime/engine";
import {
  createPricing,
  listFiles,
  loadProject,
  type ModuleReader,
  type ProjectLoading,
} from "@turnseal/runtime/project";
import { line, renderNote, type Terminal, toned } from "@turnseal/terminal";
import type { LoopBounds } from "@turnseal/terminal/loops";
import { renderReloaded } from "@turnseal/terminal/operate";
import { listBounds } from "../loops/list-bounds.ts";
import { accept, reportRefused } from "../terminal/refusal.ts";
import { DRAIN_MS_DEFAULT } from "./defaults.ts";
import { findSlow } from "./run-worker.ts";
import { watchFiles } from "./watch-files.ts";

type WorkerOptions = Parameters<typeof startWorker>[0];

export interface ReloadParts {
  readonly reader: ModuleReader;
  readonly paths: readonly string[];
  readonly registry: Registry;
  /** How the project is read again. */
  readonly place: Parameters<typeof loadProject>[0];
  readonly peers: Parameters<typeof findSlow>[1];
  /** The options of every worker, apart from its loops. */
  readonly options: Omit<WorkerOptions, "port" | "doorPort"> & { readonly admin: string };
  /** The worker that was there first: it has the ports that were promised, and stays. */
  readonly first: Worker;
  readonly terminal: Terminal;
  readonly stop: AbortSignal;
}

const STILL_SERVED = "not reloaded: the definitions before this change are still served";
const LOCALHOST = "127.0.0.1";
const TIDY_EVERY_MS = 30_000;

/** Watches until it is stopped; then the workers that it started finish their running steps. */
export async function reloadLoops(parts: ReloadParts): Promise<void> {
  const { reader, paths, place, peers, options, first, terminal, stop } = parts;
  const { admin, postgres } = options;
  let { registry } = parts;
  let current = first;
  /** Workers of earlier definitions, and of earlier code of these. */
  const older = new Set<Worker>();
  const end = (worker: Worker): Promise<unknown> =>
    worker === first ? Promise.resolve() : worker.drain(DRAIN_MS_DEFAULT);
  const opened = await openDeploy({ admin, postgres });
  await forgetGone(opened.book);

  const onChange = async (): Promise<void> => {
    reader.next();
    const project = accept(await loadProject({ ...place, importModule: reader.importModule }));
    const slow = findSlow(project, peers, {});
    if (slow !== undefined) throw new Error(slow[0]);
    const host = { ...options.host, ...project.host };
    const worker = await startWorker({ ...options, host });
    await deployWorker(worker, { admin, postgres });
    const before = current;
    current = worker;
    // A worker of the same release is no longer needed: its running steps end there.
    for (const same of [...older, before].filter((each) => isSame(each, worker))) {
      older.delete(same);
      void end(same);
    }
    if (!isSame(before, worker)) older.add(before);
    const needed = await countNeeded(opened, older);
    const bounds = await boundProject(project);
    const reloaded = { before: registry, now: project.registry, bounds, needed };
    renderReloaded(reloaded).forEach(terminal.out.writeLine);
    ({ registry } = project);
  };
  const tidy = async (): Promise<void> => {
    for (const worker of older) {
      const removed = await removeRelease(opened, worker.release.name);
      if (removed.kind === "refused") continue;
      older.delete(worker);
      await end(worker);
    }
  };
  const timer = setInterval(() => void tidy().catch(() => {}), TIDY_EVERY_MS);
  const list = async (): Promise<readonly string[]> => {
    const listed = await listFiles(paths);
    return [...(listed.kind === "listed" ? listed.files : []), ...reader.files()];
  };
  try {
    await watchFiles({
      list,
      onChange: () => onChange().catch((error) => tell(error, terminal)),
      stop,
    });
  } finally {
    clearInterval(timer);
    const started = [...older, current].filter((worker) => worker !== first);
    await Promise.all(started.map(end));
    // These addresses end with the command: a run that needs one is named as blocked.
    for (const { release } of started) await opened.book.remove(release.name).catch(() => {});
    await opened.book.close();
  }
}

/** The number of unfinished runs that only earlier definitions can drive. */
async function countNeeded(opened: OpenedDeploy, older: Iterable<Worker>): Promise<number> {
  let needed = 0;
  for (const { release } of older) {
    const drained = await drainRelease(opened, release.name);
    needed += drained.kind === "done" ? (drained.needed ?? 0) : 0;
  }
  return needed;
}

async function boundProject({
  registry,
  host: { models = {}, prices },
}: Extract<ProjectLoading, { kind: "loaded" }>): Promise<LoopBounds[]> {
  const bound = { models: new Map(Object.entries(models)) };
  return listBounds(registry, prices && (await createPricing(bound, prices)));
}

function tell(error: unknown, terminal: Terminal): void {
  const { err } = terminal;
  const words = error instanceof Error ? error.message : "unknown";
  if (reportRefused(error, terminal) === undefined)
    err.writeLine(line(toned("bad", "error: "), words));
  err.writeLine(renderNote(STILL_SERVED));
}

/** Forgets what a process before this one served and could not take back: it was killed. */
async function forgetGone(book: OpenedDeploy["book"]): Promise<void> {
  for (const { name, uri } of await book.list()) {
    const { hostname, port } = new URL(uri);
    const isTaken = (await findTakenPort([Number(port)])) !== undefined;
    if (hostname === LOCALHOST && !isTaken) await book.remove(name);
  }
}

function isSame(one: Worker, other: Worker): boolean {
  return one.release.name === other.release.name;
}
