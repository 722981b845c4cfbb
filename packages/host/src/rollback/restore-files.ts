/**
 * Puts the files back which an action changed, by what the log says of it (spec/rollback.md §4).
 *
 * 1. A file is changed only where it is what the action left. One that is as before is done; any
 *    other is somebody else's now, and is left and named.
 * 2. It changes files like any tool: through the journal of the run that takes back, and only where
 *    nobody was faster. Done again, it finds done what was done.
 */
import { createContent, holdBlobs } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import type { ArtifactChanges, JsonValue } from "@turnseal/protocol";
import { type FileState, isSameFile } from "@turnseal/protocol/artifact";
import { notDone, type ToolArtifacts } from "@turnseal/protocol/authoring";
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

interface Restoring {
  readonly run: string;
  readonly changes: ArtifactChanges;
  readonly artifacts: ToolArtifacts;
  readonly stores: FileStores;
}

/** Paths that a failure names: it is read by people. */
const NAMED_MAX = 20;

export async function restoreFiles({
  run,
  changes,
  artifacts,
  stores,
}: Restoring): Promise<JsonValue> {
  const files = await listFilesOf(run, changes, stores);
  const key = await stores.blobs.readKey(run);
  if (files === undefined || key === undefined) throw notDone("what was there was erased");
  const content = createContent(run, key, stores.blobs as Stores["blobs"]);
  const digestOf = (bytes: Uint8Array) => content.sealBytes(bytes).digest;
  const left: string[] = [];
  for (const file of files)
    if (!(await restoreFile(file, { run, artifacts, stores, digestOf }))) left.push(file.path);
  if (left.length === 0) return { restored: files.length };
  const named = left.slice(0, NAMED_MAX).join(", ");
  const more = left.length > NAMED_MAX ? ` and ${left.length - NAMED_MAX} more` : "";
  // The others are back, and are found so when this is asked for again.
  throw notDone(`${left.length} of ${files.length} files are not what it left: ${named}${more}`);
}

interface RestoringOne extends Pick<Restoring, "run" | "artifacts" | "stores"> {
  /** The digest that the content has in the run that is taken back. */
  digestOf(bytes: Uint8Array): string;
}

/** True where the file is as before. */
async function restoreFile(
  file: FileChanged,
  { run, artifacts, stores, digestOf }: RestoringOne,
): Promise<boolean> {
  const { path, after = null } = file;
  const target = beforeOf(file);
  if (target === undefined) return false;
  const there = await artifacts.read(path);
  if (there.kind === "refused" && there.reason !== "absent") return false;
  const now: FileState | null =
    there.kind === "refused"
      ? null
      : ({
          ...{ digest: digestOf(there.bytes), bytes: there.bytes.length },
          ...(there.mode === undefined ? {} : { mode: there.mode }),
        } as FileState);
  if (!isSameFile(now, target) && !isSameFile(now, after)) return false;
  const expected = there.kind === "read" ? there.digest : "absent";
  if (target === null) return (await artifacts.remove(path, { expected })).kind === "done";
  const bytes = await holdBlobs(stores.blobs).read(run, target.digest);
  if (bytes === undefined) return false;
  const mode = target.mode === undefined ? {} : { mode: target.mode };
  return (await artifacts.write(path, bytes, { expected, ...mode })).kind === "done";
}
