/**
 * Restores the files that an action changed, by its record in the log (spec/rollback.md §4).
 *
 * 1. A file is changed only if it is as the action left it. A file in its earlier state is done;
 *    any other belongs to another author now, and is left and named.
 * 2. A file that an earlier rollback restored as far, or further, is done and stays as it is.
 * 3. It changes files like any tool: through the journal of the rollback's run, and only if no
 *    other author was faster. Repeated, it finds the finished part done.
 */
import { createContent, holdBlobs } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import type { ArtifactChanges, JsonValue } from "@turnseal/protocol";
import { type FileState, isSameFile } from "@turnseal/protocol/artifact";
import { type ArtifactWrite, notDone, type ToolArtifacts } from "@turnseal/protocol/authoring";
import {
  beforeOf,
  type ChangedFile,
  listChangedFiles,
  type RestoredFile,
  type RestoredFiles,
} from "../find/changed-files.ts";

type FileStores = Pick<Stores, "blobs">;

interface Restoring {
  readonly run: string;
  readonly changes: ArtifactChanges;
  readonly artifacts: ToolArtifacts;
  readonly stores: FileStores;
  /** Files that are done, by what earlier rollbacks made of them. */
  readonly restored: RestoredFiles;
}

/** Paths that a failure names: it is read by people. */
const NAMED_MAX = 20;

export async function restoreFiles({
  run,
  changes,
  artifacts,
  stores,
  restored,
}: Restoring): Promise<JsonValue> {
  const files = await listChangedFiles(run, changes, stores);
  const digestOf = await openDigest(run, stores);
  if (files === undefined || digestOf === undefined) throw notDone("what was there was erased");
  const [left, since]: [string[], string[]] = [[], []];
  for (const file of files) {
    const back = restored.get(file.path);
    if (back !== undefined) {
      if (!(await isStillRestored(file.path, back, { artifacts, stores }))) since.push(file.path);
    } else if (!(await restoreFile(file, { run, artifacts, stores, digestOf })))
      left.push(file.path);
  }
  const of = files.length;
  if (left.length + since.length === 0) return { restored: of };
  // The other files are restored, and a repeated rollback finds that.
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

/** The digest that content has in a run; undefined if its key is gone. */
async function openDigest(run: string, stores: FileStores): Promise<Digest | undefined> {
  const key = await stores.blobs.readKey(run);
  if (key === undefined) return undefined;
  const content = createContent(run, key, stores.blobs as Stores["blobs"]);
  return (bytes) => content.sealBytes(bytes).digest as FileState["digest"];
}

/** True if the file is what an earlier rollback made of it. */
async function isStillRestored(
  path: string,
  { run, state }: RestoredFile,
  { artifacts, stores }: Pick<Restoring, "artifacts" | "stores">,
): Promise<boolean> {
  const there = await readState(path, artifacts, await openDigest(run, stores));
  return there !== undefined && state !== undefined && isSameFile(there.state, state);
}

interface RestoringOne extends Pick<Restoring, "run" | "artifacts" | "stores"> {
  /** The digest of the content in the run that is undone. */
  readonly digestOf: Digest;
}

type Expected = NonNullable<ArtifactWrite["expected"]>;

/** The state that is there, and what a change of it expects; undefined if it cannot be read. */
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

/** True if the file is as before. */
async function restoreFile(
  file: ChangedFile,
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
