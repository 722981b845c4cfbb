/**
 * Shows the people who decide on a rollback what has happened to its files since. It finds files
 * that differ from what the run left, and later runs that manage them. It changes nothing; its
 * search is bounded (spec/rollback.md §4.4).
 */
import type { FileRoot } from "@turnseal/ports";
import type { ArtifactChanges, BlobRef, JsonValue } from "@turnseal/protocol";
import {
  type FileState,
  findManaged,
  isSameFile,
  loadManaged,
  type ManagedRef,
  openManaged,
} from "@turnseal/protocol/artifact";
import { FILES_BUILD } from "@turnseal/protocol/authoring";
import { openBound } from "../../drift/drift-finder.ts";
import type { ClientPorts } from "../../host-ports.ts";
import type { RollbackHead } from "../../run-ids.ts";
import { readSnapshot } from "../../state/load-projection.ts";
import { readContent } from "../../state/read-content.ts";
import { listChangedFiles, type RestoredFiles } from "./changed-files.ts";
import type { ToolEffect } from "./read-effects.ts";
import type { FindRestored } from "./restored-files.ts";
import { nameEffect } from "./rollback-chain.ts";
import { sizeOf } from "./size-of.ts";

type LaterChanges = Pick<RollbackHead, "drifted" | "driftedBeside" | "unlooked" | "laterRuns">;

/** The most files that are compared, that are named, and bytes of the names: paths may be long. */
export const CHECKED_FILES_MAX = 1_000;
export const DRIFTED_NAMED_MAX = 100;
export const DRIFTED_BYTES_MAX = 64 * 1024;
/** The most runs whose snapshots are read, and that are named. */
export const CHECKED_RUNS_MAX = 1_000;
export const LATER_RUNS_MAX = 20;

/** An action that changed files, and that the rollback undoes. */
export interface FilesStep {
  readonly run: string;
  readonly doneAt: string;
  readonly changes: ArtifactChanges;
  /** Files that earlier rollbacks have restored, and that must still be in that state. */
  readonly restored: RestoredFiles;
  /** False where the tool undoes its own changes, and no folder is needed. */
  readonly needsFolder: boolean;
}

/** A step of a rollback, as far as its files are concerned. */
interface Step extends Pick<FilesStep, "doneAt"> {
  readonly takesBack: { readonly run: string; readonly key: string };
  readonly changes?: ArtifactChanges;
}

/** The steps that restore files, of these actions. */
export async function listFilesSteps(
  steps: readonly Step[],
  effects: readonly ToolEffect[],
  findRestored: FindRestored,
): Promise<readonly FilesStep[]> {
  const known = new Map(effects.map((effect) => [nameEffect(effect), effect]));
  const files: FilesStep[] = [];
  for (const { takesBack, doneAt, changes } of steps) {
    const effect = known.get(nameEffect(takesBack));
    if (changes === undefined || effect === undefined) continue;
    const needsFolder = effect.compensation?.build === FILES_BUILD;
    const restored = await findRestored(effect);
    files.push({ run: takesBack.run, doneAt, changes, restored, needsFolder });
  }
  return files;
}

type ChangePorts = Pick<ClientPorts, "stores" | "tools">;

interface LastLeft {
  readonly root: string;
  readonly path: string;
  readonly run: string;
  /** Undefined if unknown. */
  readonly after: FileState | null | undefined;
}

/** The steps in the order of the rollback: the latest that left a file counts. */
export async function findLaterChanges(
  steps: readonly FilesStep[],
  family: ReadonlySet<string>,
  ports: ChangePorts,
): Promise<LaterChanges> {
  const last = await listLast(steps, ports);
  const unlooked = await listUnreadable(steps, ports);
  if (last.length === 0) return unlooked;
  const drifted = await listDrifted(last, ports);
  const since = steps.reduce((at, { doneAt }) => (doneAt > at ? doneAt : at), "");
  const laterRuns = await listLater(last, { family, since }, ports);
  return {
    ...nameDrifted(drifted),
    ...unlooked,
    ...(laterRuns.length === 0 ? {} : { laterRuns }),
  };
}

/** The first, as many as a rollback holds: the others are counted. */
function nameDrifted(
  drifted: NonNullable<LaterChanges["drifted"]>,
): Pick<LaterChanges, "drifted" | "driftedBeside"> {
  let bytes = 0;
  const end = drifted.findIndex((file, index) => {
    bytes += sizeOf({ ...file });
    return index === DRIFTED_NAMED_MAX || bytes > DRIFTED_BYTES_MAX;
  });
  if (drifted.length === 0) return {};
  if (end === -1) return { drifted };
  return { drifted: drifted.slice(0, end), driftedBeside: drifted.length - end };
}

async function listLast(
  steps: readonly FilesStep[],
  { stores }: ChangePorts,
): Promise<readonly LastLeft[]> {
  const last = new Map<string, LastLeft>();
  for (const { run, changes, restored } of steps)
    for (const { path, after = null } of (await listChangedFiles(run, changes, stores)) ?? []) {
      if (last.size === CHECKED_FILES_MAX) return [...last.values()];
      const { root } = changes;
      const name = `${root}/${path}`;
      const back = restored.get(path);
      const left = back === undefined ? { run, after } : { run: back.run, after: back.state };
      if (!last.has(name)) last.set(name, { root, path, ...left });
    }
  return [...last.values()];
}

/** The roots whose files cannot be read from here, each once. */
async function listUnreadable(
  steps: readonly FilesStep[],
  { stores, tools: { roots } }: ChangePorts,
): Promise<Pick<LaterChanges, "unlooked">> {
  const unlooked = new Set<string>();
  for (const { run, changes, needsFolder } of steps) {
    if (!needsFolder || unlooked.has(changes.root)) continue;
    const found = await openBound(run, changes.root, { stores, roots });
    if (typeof found === "string") unlooked.add(changes.root);
  }
  return unlooked.size === 0 ? {} : { unlooked: [...unlooked] };
}

/** Of a root that is not bound here, {@link listUnreadable} says so. */
async function listDrifted(
  last: readonly LastLeft[],
  { stores, tools: { roots } }: ChangePorts,
): Promise<NonNullable<RollbackHead["drifted"]>> {
  const opened = new Map<string, FileRoot | undefined>();
  const drifted: { root: string; path: string }[] = [];
  for (const { root, path, run, after } of last) {
    const name = `${root} ${run}`;
    if (!opened.has(name)) {
      const found = await openBound(run, root, { stores, roots });
      opened.set(name, typeof found === "string" ? undefined : found);
    }
    const files = opened.get(name);
    if (files === undefined) continue;
    const isLeft = await isAsLeft(files, path, after);
    if (!isLeft) drifted.push({ root, path });
  }
  return drifted;
}

/** False also if it is unknown: a failing disk must not block the request. */
async function isAsLeft(files: FileRoot, path: string, after: LastLeft["after"]): Promise<boolean> {
  try {
    const read = await files.read(path);
    if (read.kind === "read") return after !== undefined && isSameFile(read.state, after);
    return read.reason === "absent" && after === null;
  } catch {
    return false;
  }
}

interface Since {
  /** The runs of the rollback. */
  readonly family: ReadonlySet<string>;
  readonly since: string;
}

/** Runs with events after the last of the actions, which manage one of the files. */
async function listLater(
  last: readonly LastLeft[],
  { family, since }: Since,
  { stores }: ChangePorts,
): Promise<readonly string[]> {
  const later: string[] = [];
  let after = "";
  for (let checked = 0; checked < CHECKED_RUNS_MAX; ) {
    const page = await stores.runs.list(after);
    for (const snapshot of page) {
      const { artifacts = {}, lastAt = "" } = readSnapshot(snapshot) ?? {};
      if (family.has(snapshot.run) || lastAt <= since) continue;
      for (const [root, managed] of Object.entries(artifacts)) {
        const paths = last.filter((file) => file.root === root).map(({ path }) => path);
        if (paths.length === 0 || !(await managesAny(snapshot.run, managed, paths, stores)))
          continue;
        later.push(snapshot.run);
        break;
      }
      if (later.length === LATER_RUNS_MAX) return later;
    }
    const end = page.at(-1);
    if (end === undefined) break;
    [after, checked] = [end.run, checked + page.length];
  }
  return later;
}

async function managesAny(
  run: string,
  managed: ManagedRef,
  paths: readonly string[],
  stores: ChangePorts["stores"],
): Promise<boolean> {
  // Of a run that was erased nothing is left to tell.
  const read = async (reference: BlobRef): Promise<JsonValue> =>
    (await readContent(stores, run, reference)) ?? { files: [], pages: [] };
  try {
    const pages = await loadManaged(await openManaged(managed, read), paths, read);
    return paths.some((path) => findManaged(pages, path) !== undefined);
  } catch {
    return false;
  }
}
