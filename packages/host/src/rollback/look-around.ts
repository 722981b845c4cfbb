/**
 * What has become of the files since that a rollback would put back, for whoever decides on it:
 * those that are not what the run left, and later runs that manage them. It looks, and changes
 * nothing; how far it looks is bounded (spec/rollback.md §4.4).
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
import { openBound } from "../drift/run-world.ts";
import type { ClientPorts } from "../host-ports.ts";
import { readSnapshot } from "../projection/load-projection.ts";
import { readContent } from "../read-content.ts";
import type { RollbackHead } from "../run-ids.ts";
import type { FindPutBack } from "./put-back.ts";
import type { ToolDeed } from "./read-deeds.ts";
import { listFilesOf, type PutBackFiles } from "./restore-files.ts";
import { nameAction } from "./rollback-chain.ts";
import { sizeOf } from "./size-of.ts";

type Around = Pick<RollbackHead, "drifted" | "driftedBeside" | "unlooked" | "laterRuns">;

/** Files that are looked at, those that are named, and the bytes of these: paths may be long. */
export const LOOKED_FILES_MAX = 1_000;
export const DRIFTED_NAMED_MAX = 100;
export const DRIFTED_BYTES_MAX = 64 * 1024;
/** Runs whose snapshots are looked at, and those that are named. */
export const LOOKED_RUNS_MAX = 1_000;
export const LATER_RUNS_MAX = 20;

/** An action that changed files, and is to be taken back. */
export interface FilesStep {
  readonly run: string;
  readonly doneAt: string;
  readonly changes: ArtifactChanges;
  /** Files that earlier rollbacks have put back, and that are to be what they made of them. */
  readonly putBack: PutBackFiles;
  /** False where the tool takes back itself what it changed, and no folder is needed. */
  readonly needsFolder: boolean;
}

/** A step of a rollback, as far as its files are concerned. */
interface Step extends Pick<FilesStep, "doneAt"> {
  readonly takesBack: { readonly run: string; readonly key: string };
  readonly changes?: ArtifactChanges;
}

/** The steps that put files back, of these actions. */
export async function listFilesSteps(
  steps: readonly Step[],
  deeds: readonly ToolDeed[],
  findPutBack: FindPutBack,
): Promise<readonly FilesStep[]> {
  const known = new Map(deeds.map((deed) => [nameAction(deed), deed]));
  const files: FilesStep[] = [];
  for (const { takesBack, doneAt, changes } of steps) {
    const deed = known.get(nameAction(takesBack));
    if (changes === undefined || deed === undefined) continue;
    const needsFolder = deed.compensation?.build === FILES_BUILD;
    const putBack = await findPutBack(deed);
    files.push({ run: takesBack.run, doneAt, changes, putBack, needsFolder });
  }
  return files;
}

type AroundPorts = Pick<ClientPorts, "stores" | "tools">;

interface LastLeft {
  readonly root: string;
  readonly path: string;
  readonly run: string;
  /** Undefined where nobody knows. */
  readonly after: FileState | null | undefined;
}

/** The steps in the order in which they are taken back: the latest that left a file counts. */
export async function lookAround(
  steps: readonly FilesStep[],
  family: ReadonlySet<string>,
  ports: AroundPorts,
): Promise<Around> {
  const last = await listLast(steps, ports);
  const unlooked = await listUnlooked(steps, ports);
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
  drifted: NonNullable<Around["drifted"]>,
): Pick<Around, "drifted" | "driftedBeside"> {
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
  { stores }: AroundPorts,
): Promise<readonly LastLeft[]> {
  const last = new Map<string, LastLeft>();
  for (const { run, changes, putBack } of steps)
    for (const { path, after = null } of (await listFilesOf(run, changes, stores)) ?? []) {
      if (last.size === LOOKED_FILES_MAX) return [...last.values()];
      const { root } = changes;
      const name = `${root}/${path}`;
      const back = putBack.get(path);
      const left = back === undefined ? { run, after } : { run: back.run, after: back.state };
      if (!last.has(name)) last.set(name, { root, path, ...left });
    }
  return [...last.values()];
}

/** The roots of files that cannot be looked at from here, each once. */
async function listUnlooked(
  steps: readonly FilesStep[],
  { stores, tools: { roots } }: AroundPorts,
): Promise<Pick<Around, "unlooked">> {
  const unlooked = new Set<string>();
  for (const { run, changes, needsFolder } of steps) {
    if (!needsFolder || unlooked.has(changes.root)) continue;
    const found = await openBound(run, changes.root, { stores, roots });
    if (typeof found === "string") unlooked.add(changes.root);
  }
  return unlooked.size === 0 ? {} : { unlooked: [...unlooked] };
}

/** Of a root that is not bound here, {@link listUnlooked} says so. */
async function listDrifted(
  last: readonly LastLeft[],
  { stores, tools: { roots } }: AroundPorts,
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

/** False also where nobody can tell: a disk that fails keeps nobody from asking. */
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
  /** The runs that are taken back. */
  readonly family: ReadonlySet<string>;
  readonly since: string;
}

/** Runs that said something after the last of the actions, and manage one of the files. */
async function listLater(
  last: readonly LastLeft[],
  { family, since }: Since,
  { stores }: AroundPorts,
): Promise<readonly string[]> {
  const later: string[] = [];
  let after = "";
  for (let looked = 0; looked < LOOKED_RUNS_MAX; ) {
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
    [after, looked] = [end.run, looked + page.length];
  }
  return later;
}

async function managesAny(
  run: string,
  managed: ManagedRef,
  paths: readonly string[],
  stores: AroundPorts["stores"],
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
