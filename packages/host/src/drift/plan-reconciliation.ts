/**
 * Plans what happens to files that differ from the record of a run, by one of four ways. It changes
 * nothing: a person looks at it first.
 *
 * 1. A file that would be overwritten, or that counts from now on, is kept as content of the run: a
 *    reconciliation loses nothing.
 * 2. If a file has no clear side, there is no plan, and the person learns which files they are.
 */
import { type Content, createContent, holdBlobs } from "@turnseal/kernel";
import { type Blob, type FileRoot, findDrift, type Roots, type Stores } from "@turnseal/ports";
import {
  type Drift,
  type FileMerge,
  type FileState,
  isSameFile,
  type ManagedRoots,
  MERGED_BYTES_MAX,
  mergeFiles,
  RECONCILED_BYTES_MAX,
  RECONCILED_FILES_MAX,
  type ReconciledFile,
  type ReconcileWay,
  type Reconciliation,
} from "@turnseal/protocol/artifact";
import { listFiles, openBound, type RootDrift } from "./drift-finder.ts";
import { stateOf, withMode } from "./file-parts.ts";
import { findLastChanges, type LastChange } from "./last-changes.ts";
import { measureMerge } from "./measure-merge.ts";

/** The winning side for one file. */
export type ReconcileSide = "graph" | "files";

export interface ReconcileRequest {
  readonly root: string;
  readonly way: ReconcileWay;
  /** For `manual`: what counts, by path. Every file that differs must be there. */
  readonly sides?: ReadonlyMap<string, ReconcileSide>;
}

/** A run as far as it is needed here. */
export interface ReconciledRun {
  readonly run: string;
  readonly sequence: number;
  readonly artifacts?: ManagedRoots;
}

export interface ReconcilePorts {
  readonly stores: Pick<Stores, "log" | "blobs">;
  readonly roots: Roots | undefined;
}

/** One file of a plan, with its recorded and its present bytes, to show. */
export interface ShownFile {
  readonly drift: Drift;
  readonly becomes: "graph" | "files" | "merged";
  readonly recorded?: Uint8Array;
  readonly seen?: Uint8Array;
  /** Of a merge: what is written. */
  readonly merged?: Uint8Array;
}

export interface ReconcileProblem {
  readonly path: string;
  readonly why:
    | "erased"
    | "not-there"
    | "replaced"
    | "side-missing"
    | "too-large"
    | "unread"
    | "conflict";
  /** Of a conflict of texts. */
  readonly merge?: Extract<FileMerge, { readonly kind: "conflict" }>;
}

type UnknownWhy = Extract<RootDrift, { readonly kind: "unknown" }>["why"];

export type ReconcilePlan =
  | {
      readonly kind: "planned";
      readonly plan: Reconciliation;
      /** Blobs to store before the plan is shown. */
      readonly blobs: readonly Blob[];
      readonly shown: readonly ShownFile[];
      /** Files that differ, too, and are of the next plan: one has a limit. */
      readonly more: number;
    }
  /** Everything is as recorded, or nothing is managed there. */
  | { readonly kind: "agreed" }
  | { readonly kind: "refused"; readonly problems: readonly ReconcileProblem[] }
  | { readonly kind: "unknown"; readonly why: UnknownWhy };

/** Plans by one way what becomes of the files of one root. */
export async function planReconciliation(
  of: ReconciledRun,
  request: ReconcileRequest,
  ports: ReconcilePorts,
): Promise<ReconcilePlan> {
  const { run, artifacts = {}, sequence } = of;
  const { stores } = ports;
  const named = Object.hasOwn(artifacts, request.root) ? artifacts[request.root] : undefined;
  if (named === undefined) return { kind: "agreed" };
  const files = await openBound(run, request.root, ports);
  if (typeof files === "string") return { kind: "unknown", why: files };
  const recorded = await listFiles(run, named, stores);
  const key = await stores.blobs.readKey(run);
  if (recorded === undefined || key === undefined) return { kind: "unknown", why: "erased" };
  const answer = await findDrift(files, { files: recorded, folders: [] });
  if (answer.kind === "refused") return { kind: "unknown", why: answer.reason };
  const { drifts } = answer;
  const strays = listStrays(request, drifts);
  if (strays.length > 0) return { kind: "refused", problems: strays };
  if (drifts.length === 0) return { kind: "agreed" };
  const some = drifts.slice(0, RECONCILED_FILES_MAX);
  const paths = some.map(({ path }) => path);
  const last =
    request.way === "merge"
      ? await findLastChanges({ run, root: request.root, paths, until: sequence }, stores)
      : new Map<string, LastChange>();
  const content = createContent(run, key, stores.blobs);
  const planned = await planAll(some, request, { run, files, stores, content, last });
  if (planned.problems.length > 0) return { kind: "refused", problems: planned.problems };
  const { way, root } = request;
  const plan = { way, root, at: sequence, managed: named.page.digest, files: planned.files };
  const { blobs, shown } = planned;
  return { kind: "planned", plan, blobs, shown, more: drifts.length - planned.files.length };
}

/** Named files without drift: a mistake of the person. */
function listStrays(
  { way, sides = new Map() }: ReconcileRequest,
  drifts: readonly Drift[],
): ReconcileProblem[] {
  if (way !== "manual") return [];
  const known = new Set(drifts.map(({ path }) => path));
  return [...sides.keys()]
    .filter((path) => !known.has(path))
    .map((path) => ({ path, why: "not-there" }));
}

interface PlanPlace {
  readonly run: string;
  readonly files: FileRoot;
  readonly stores: ReconcilePorts["stores"];
  readonly content: Content;
  readonly last: ReadonlyMap<string, LastChange>;
}

interface PlannedFiles {
  readonly files: ReconciledFile[];
  readonly blobs: Blob[];
  readonly shown: ShownFile[];
  readonly problems: ReconcileProblem[];
}

/** As many as fit into one reconciliation, and at least one. */
async function planAll(
  drifts: readonly Drift[],
  request: ReconcileRequest,
  place: PlanPlace,
): Promise<PlannedFiles> {
  const all: PlannedFiles = { files: [], blobs: [], shown: [], problems: [] };
  let [bytes, merged] = [0, 0];
  for (const drift of drifts) {
    if (request.way === "merge" && drift.kind === "modified") merged += measureMerge(drift);
    if (merged > MERGED_BYTES_MAX && all.files.length > 0) break;
    const planned = await planFile(drift, request, place);
    if (planned.kind === "problem") {
      all.problems.push(planned.problem);
      continue;
    }
    bytes += planned.blobs.reduce((sum, { size }) => sum + size, 0);
    if (bytes > RECONCILED_BYTES_MAX && all.files.length > 0) break;
    all.files.push(planned.file);
    all.blobs.push(...planned.blobs);
    all.shown.push(planned.shown);
  }
  return all;
}

type PlannedFile =
  | {
      readonly kind: "planned";
      readonly file: ReconciledFile;
      readonly blobs: readonly Blob[];
      readonly shown: ShownFile;
    }
  | { readonly kind: "problem"; readonly problem: ReconcileProblem };

async function planFile(
  drift: Drift,
  request: ReconcileRequest,
  place: PlanPlace,
): Promise<PlannedFile> {
  const { path } = drift;
  const fail = (why: ReconcileProblem["why"], merge?: ReconcileProblem["merge"]): PlannedFile => ({
    kind: "problem",
    problem: { path, why, ...(merge === undefined ? {} : { merge }) },
  });
  // Without folders nothing is new, and nothing is the new name of something.
  if (drift.kind === "unread" || drift.kind === "created") return fail("unread");
  const there = await readThere(drift, place);
  if (typeof there === "string") return fail(there);
  const recorded = await holdBlobs(place.stores.blobs).read(place.run, drift.before.digest);
  const way = request.way === "manual" ? request.sides?.get(path) : request.way;
  const facts = { path, recorded: drift.before, seen: there?.state ?? null };
  const kept = there === undefined ? [] : [there.blob];
  const shown = {
    drift,
    ...(recorded === undefined ? {} : { recorded }),
    ...(there === undefined ? {} : { seen: there.blob.bytes }),
  };
  switch (way) {
    case undefined:
      return fail("side-missing");
    case "graph":
    case "graph-wins":
      // The thing at this path is not a file of the run, and its content is unknown: it is not
      // removed.
      if (drift.kind === "replaced") return fail("replaced");
      if (recorded === undefined) return fail("erased");
      return {
        ...{ kind: "planned", blobs: kept, shown: { ...shown, becomes: "graph" } },
        file: { ...facts, becomes: drift.before },
      };
    case "files":
    case "files-win":
      return {
        ...{ kind: "planned", blobs: kept, shown: { ...shown, becomes: "files" } },
        file: { ...facts, becomes: facts.seen },
      };
    case "merge": {
      if (there === undefined) return fail("conflict", GONE);
      if (recorded === undefined) return fail("erased");
      const merged = await mergeOne(facts, { recorded, seen: there.blob.bytes }, place);
      if (typeof merged === "string") return fail(merged);
      if (merged.kind === "conflict") return fail("conflict", merged.merge);
      return {
        kind: "planned",
        shown: { ...shown, becomes: "merged", merged: merged.blob.bytes },
        blobs: [...kept, merged.blob],
        file: { ...facts, becomes: merged.state, changedBy: merged.changedBy },
      };
    }
  }
}

/** The file that the run has changed was removed. */
const GONE = { kind: "conflict", why: "both-changed", conflicts: [] } as const;

interface There {
  readonly state: FileState;
  readonly blob: Blob;
}

/** The file that is there; undefined if none is. */
async function readThere(
  drift: Drift,
  { files, content }: PlanPlace,
): Promise<There | undefined | "unread" | "too-large"> {
  if (drift.kind === "deleted" || drift.kind === "replaced") return undefined;
  const read = await files.read(drift.path);
  if (read.kind === "refused") return read.reason === "too-large" ? "too-large" : "unread";
  return { state: read.state, blob: content.sealBytes(read.bytes) };
}

interface Bytes {
  readonly recorded: Uint8Array;
  readonly seen: Uint8Array;
}

type MergedOne =
  | {
      readonly kind: "merged";
      readonly state: FileState;
      readonly blob: Blob;
      readonly changedBy: number;
    }
  | { readonly kind: "conflict"; readonly merge: NonNullable<ReconcileProblem["merge"]> };

async function mergeOne(
  { path, recorded, seen }: Omit<ReconciledFile, "becomes">,
  bytes: Bytes,
  { run, stores, content, last }: PlanPlace,
): Promise<MergedOne | "erased"> {
  const change = last.get(path);
  // The list of the last changes is gone, and with it what was there before.
  if (change === undefined || !isSameFile(change.after ?? null, recorded)) return "erased";
  const { before, sequence: changedBy } = change;
  const ancestor =
    before === undefined ? undefined : await holdBlobs(stores.blobs).read(run, before.digest);
  if (before !== undefined && ancestor === undefined) return "erased";
  const merge = mergeFiles({
    ancestor: ancestor === undefined ? undefined : withMode(ancestor, before?.mode),
    recorded: withMode(bytes.recorded, recorded.mode),
    seen: withMode(bytes.seen, seen?.mode),
  });
  if (merge.kind === "conflict") return { kind: "conflict", merge };
  const blob = content.sealBytes(merge.bytes);
  return { kind: "merged", state: stateOf(blob, merge.mode), blob, changedBy };
}
