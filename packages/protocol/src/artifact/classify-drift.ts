/**
 * Compares the recorded files with the files that are there now.
 *
 * 1. Only content, mode and kind count: a file that was touched, or written again with the same
 *    bytes, is the same.
 * 2. New files are known only in folders that are managed whole. Elsewhere nothing recorded the
 *    files that were there before, so no file counts as created, or as the new name of another.
 * 3. A rename is one missing file and one new file with the same bytes. If there are several of
 *    either, or no bytes to identify a file by, they count as a deletion and a creation.
 * 4. Files that could not be read are reported as such, and never count as unchanged.
 */
import type { ArtifactDigest, FileState } from "./artifact.ts";
import { foldPath, isUnder } from "./artifact-path.ts";

/** The present entry at a path. */
export type ObservedEntry =
  | ({ readonly kind: "file"; readonly path: string } & FileState)
  /** A link there, or on the way there; where it leads is never asked. */
  | { readonly kind: "link"; readonly path: string }
  | { readonly kind: "folder"; readonly path: string }
  /** A socket, a device, a pipe. */
  | { readonly kind: "special"; readonly path: string }
  | { readonly kind: "unread"; readonly path: string; readonly reason: UnreadReason };
/** It changed while it was read, or this process may not read it. */
export type UnreadReason = "changing" | "denied";

export type RecordedFile = { readonly path: string } & FileState;

/** One difference between what is recorded and what is there; the way of a rename has both ends. */
export type Drift =
  | {
      readonly kind: "created";
      readonly path: string;
      readonly after: ObservedEntry;
      /** A recorded path that is the same place where case does not count. */
      readonly twinOf?: string;
    }
  | ChangedDrift<"modified">
  | ChangedDrift<"mode-changed">
  | (ChangedDrift<"renamed"> & { readonly to: string })
  | { readonly kind: "deleted"; readonly path: string; readonly before: FileState }
  | {
      readonly kind: "replaced";
      readonly path: string;
      readonly before: FileState;
      readonly by: "folder" | "link" | "special";
    }
  | {
      readonly kind: "unread";
      readonly path: string;
      readonly before: FileState;
      readonly reason: UnreadReason;
    };
interface ChangedDrift<Kind> {
  readonly kind: Kind;
  readonly path: string;
  readonly before: FileState;
  readonly after: FileState;
}

export interface DriftQuestion {
  readonly recorded: readonly RecordedFile[];
  /** The present entries at recorded paths and in managed folders; an unlisted path is missing. */
  readonly observed: readonly ObservedEntry[];
  /** Folders that are managed whole: all that was in them is recorded. Empty means the root. */
  readonly folders?: readonly string[];
}

/** Compares what was recorded of one root with what is there, in the order of paths. */
export function classifyDrift({
  recorded,
  observed,
  folders = [],
}: DriftQuestion): readonly Drift[] {
  if (isAsRecorded(recorded, observed)) return [];
  const there = indexByPath(observed);
  const known = indexByPath(recorded);
  const gone: RecordedFile[] = [];
  const drifts: Drift[] = [];
  for (const file of known.values()) {
    const entry = there.get(file.path);
    if (entry === undefined) gone.push(file);
    else if (!isSame(file, entry)) drifts.push(compareFile(file, entry));
  }
  const fresh: ObservedEntry[] = [];
  for (const entry of there.values()) {
    if (known.has(entry.path) || entry.kind === "folder") continue;
    if (folders.some((folder) => isUnder(entry.path, folder))) fresh.push(entry);
  }
  drifts.push(...matchRenames(gone, fresh, known));
  return drifts.sort((one, other) => (one.path < other.path ? -1 : 1));
}

/** Mostly nothing differs, of very many: then one index is enough. */
function isAsRecorded(
  recorded: readonly RecordedFile[],
  observed: readonly ObservedEntry[],
): boolean {
  if (recorded.length !== observed.length) return false;
  const left = indexByPath(recorded);
  // A path that is listed twice is missing the second time.
  return observed.every((entry) => {
    const file = left.get(entry.path);
    return file !== undefined && isSame(file, entry) && left.delete(entry.path);
  });
}

/** There are many, and nothing is made for each of them but its place. */
function indexByPath<Item extends { readonly path: string }>(
  items: readonly Item[],
): Map<string, Item> {
  const byPath = new Map<string, Item>();
  for (const item of items) byPath.set(item.path, item);
  return byPath;
}

/** The drift of a file that differs from its record. */
function compareFile(file: RecordedFile, entry: ObservedEntry): Drift {
  const { path } = file;
  const before = stateOf(file);
  if (entry.kind === "unread") return { kind: "unread", path, before, reason: entry.reason };
  if (entry.kind !== "file") return { kind: "replaced", path, before, by: entry.kind };
  const after = stateOf(entry);
  const kind = before.digest === after.digest ? "mode-changed" : "modified";
  return { kind, path, before, after };
}

/** Pairs what is gone with what is new by its bytes, one to one; the rest is what it seems. */
function matchRenames(
  gone: readonly RecordedFile[],
  fresh: readonly ObservedEntry[],
  known: ReadonlyMap<string, RecordedFile>,
): readonly Drift[] {
  const goneBy = groupBySingle(gone);
  const freshBy = groupBySingle(fresh.filter((entry) => entry.kind === "file"));
  const drifts: Drift[] = [];
  const arrived = new Set<string>();
  for (const file of gone) {
    const before = stateOf(file);
    const target = goneBy.get(file.digest) === undefined ? undefined : freshBy.get(file.digest);
    if (target === undefined) drifts.push({ kind: "deleted", path: file.path, before });
    else {
      arrived.add(target.path);
      const after = stateOf(target);
      drifts.push({ kind: "renamed", path: file.path, to: target.path, before, after });
    }
  }
  const created = fresh.filter(({ path }) => !arrived.has(path));
  return [...drifts, ...listCreated(created, known)];
}

/** Lists created files, each with its twin if there is one. */
function listCreated(
  fresh: readonly ObservedEntry[],
  known: ReadonlyMap<string, RecordedFile>,
): readonly Drift[] {
  if (fresh.length === 0) return [];
  const twins = new Map([...known.keys()].map((path) => [foldPath(path), path]));
  return fresh.map((after) => {
    const twinOf = twins.get(foldPath(after.path));
    const created = { kind: "created", path: after.path, after } as const;
    return twinOf === undefined ? created : { ...created, twinOf };
  });
}

/** By digest, but for digests that several have, and for files without bytes. */
function groupBySingle<File extends FileState>(files: readonly File[]): Map<ArtifactDigest, File> {
  const single = new Map<ArtifactDigest, File>();
  const several = new Set<ArtifactDigest>();
  for (const file of files) {
    if (single.has(file.digest) || file.bytes === 0) several.add(file.digest);
    single.set(file.digest, file);
  }
  for (const digest of several) single.delete(digest);
  return single;
}

function stateOf({ digest, bytes, mode }: FileState): FileState {
  return mode === undefined ? { digest, bytes } : { digest, bytes, mode };
}

function isSame(file: RecordedFile, entry: ObservedEntry): boolean {
  if (entry.kind !== "file" || entry.digest !== file.digest) return false;
  return file.mode === undefined || entry.mode === undefined || file.mode === entry.mode;
}
