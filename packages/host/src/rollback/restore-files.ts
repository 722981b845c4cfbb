/**
 * Puts the files back which an action changed, by what the log says of it (spec/rollback.md §4).
 *
 * 1. A file is changed only where it is what the action left. One that is as before is done; any
 *    other is somebody else's now, and is left and named.
 * 2. What an earlier rollback has put back as far, or further, is done, and not changed again.
 * 3. It changes files like any tool: through the journal of the run that takes back, and only where
 *    nobody was faster. Done again, it finds done what was done.
 */
import { createContent, holdBlobs } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import type { ArtifactChanges, JsonValue } from "@turnseal/protocol";
import { type FileState, isSameFile } from "@turnseal/protocol/artifact";
import { type ArtifactWrite, notDone, type ToolArtifacts } from "@turnseal/protocol/authoring";
import { readContent } from "../read-content.ts";

/** What became of one file, as the settlement has it. */
export interface FileChanged {
  readonly path: string;
  readonly before?: FileState;
  readonly after?: FileState;
  /** What was there, where the run had recorded something else of it. */
  readonly was?: FileState | "absent" | "unknown";
}

type FileStores = Pick<Stores, "blobs">;

/** The list of what an action changed; undefined where it was erased. */
export async function listFilesOf(
  run: string,
  { changes }: ArtifactChanges,
  stores: FileStores,
): Promise<readonly FileChanged[] | undefined> {
  const value = await readContent(stores, run, changes);
  // The kernel wrote it, and its digest is that of what the kernel wrote.
  return (value as { readonly changes: readonly FileChanged[] } | undefined)?.changes;
}

/** True where the list of what was changed is there: content goes with its run, as a whole. */
export async function areFilesKept(
  run: string,
  changes: ArtifactChanges,
  stores: FileStores,
): Promise<boolean> {
  return (await listFilesOf(run, changes, stores)) !== undefined;
}

/** What a file was before; undefined where nobody knows. */
export function beforeOf({ before, was }: FileChanged): FileState | null | undefined {
  if (was === "unknown") return undefined;
  if (was === "absent") return null;
  return was ?? before ?? null;
}

/** What a file was put back to. */
export interface PutBack {
  /** The run under whose key its content is named. */
  readonly run: string;
  /** Null for no file; undefined where nobody knows. */
  readonly state: FileState | null | undefined;
}

/** By path. */
export type PutBackFiles = ReadonlyMap<string, PutBack>;

interface Restoring {
  readonly run: string;
  readonly changes: ArtifactChanges;
  readonly artifacts: ToolArtifacts;
  readonly stores: FileStores;
  /** Files that are done, by what earlier rollbacks made of them. */
  readonly putBack: PutBackFiles;
}

/** Paths that a failure names: it is read by people. */
const NAMED_MAX = 20;

export async function restoreFiles({
  run,
  changes,
  artifacts,
  stores,
  putBack,
}: Restoring): Promise<JsonValue> {
  const files = await listFilesOf(run, changes, stores);
  const digestOf = await openDigest(run, stores);
  if (files === undefined || digestOf === undefined) throw notDone("what was there was erased");
  const [left, since]: [string[], string[]] = [[], []];
  for (const file of files) {
    const back = putBack.get(file.path);
    if (back !== undefined) {
      if (!(await isPutBack(file.path, back, { artifacts, stores }))) since.push(file.path);
    } else if (!(await restoreFile(file, { run, artifacts, stores, digestOf })))
      left.push(file.path);
  }
  const of = files.length;
  if (left.length + since.length === 0) return { restored: of };
  // The others are back, and are found so when this is asked for again.
  throw notDone(
    [
      ...(left.length === 0 ? [] : [`${left.length} of ${of} files are not what it left: `]),
      ...nameSome(left),
      ...(left.length === 0 || since.length === 0 ? [] : ["; "]),
      ...(since.length === 0
        ? []
        : [`${since.length} of ${of} files were put back before, and changed since: `]),
      ...nameSome(since),
    ].join(""),
  );
}

function nameSome(paths: readonly string[]): readonly string[] {
  const more = paths.length > NAMED_MAX ? ` and ${paths.length - NAMED_MAX} more` : "";
  return paths.length === 0 ? [] : [paths.slice(0, NAMED_MAX).join(", "), more];
}

type Digest = (bytes: Uint8Array) => FileState["digest"];

/** The digest that content has in a run; undefined where its key is gone. */
async function openDigest(run: string, stores: FileStores): Promise<Digest | undefined> {
  const key = await stores.blobs.readKey(run);
  if (key === undefined) return undefined;
  const content = createContent(run, key, stores.blobs as Stores["blobs"]);
  return (bytes) => content.sealBytes(bytes).digest as FileState["digest"];
}

/** True where the file is what an earlier rollback made of it. */
async function isPutBack(
  path: string,
  { run, state }: PutBack,
  { artifacts, stores }: Pick<Restoring, "artifacts" | "stores">,
): Promise<boolean> {
  const there = await readState(path, artifacts, await openDigest(run, stores));
  return there !== undefined && state !== undefined && isSameFile(there.state, state);
}

interface RestoringOne extends Pick<Restoring, "run" | "artifacts" | "stores"> {
  /** The digest that the content has in the run that is taken back. */
  readonly digestOf: Digest;
}

type Expected = NonNullable<ArtifactWrite["expected"]>;

/** What is there, and what a change of it has to expect; undefined where that cannot be read. */
async function readState(
  path: string,
  artifacts: ToolArtifacts,
  digestOf: Digest | undefined,
): Promise<{ readonly state: FileState | null; readonly expected: Expected } | undefined> {
  const there = await artifacts.read(path);
  if (there.kind === "refused")
    return there.reason === "absent" ? { state: null, expected: "absent" } : undefined;
  if (digestOf === undefined) return undefined;
  const { bytes, mode, digest } = there;
  const state = { digest: digestOf(bytes), bytes: bytes.length };
  return { state: { ...state, ...(mode === undefined ? {} : { mode }) }, expected: digest };
}

/** True where the file is as before. */
async function restoreFile(
  file: FileChanged,
  { run, artifacts, stores, digestOf }: RestoringOne,
): Promise<boolean> {
  const { path, after = null } = file;
  const target = beforeOf(file);
  if (target === undefined) return false;
  const there = await readState(path, artifacts, digestOf);
  if (there === undefined) return false;
  const { state: now, expected } = there;
  if (!isSameFile(now, target) && !isSameFile(now, after)) return false;
  if (target === null) return (await artifacts.remove(path, { expected })).kind === "done";
  const bytes = await holdBlobs(stores.blobs).read(run, target.digest);
  if (bytes === undefined) return false;
  const mode = target.mode === undefined ? {} : { mode: target.mode };
  return (await artifacts.write(path, bytes, { expected, ...mode })).kind === "done";
}
