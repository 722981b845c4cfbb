/** The files that an action changed, as the settlement records them. */
import type { Stores } from "@turnseal/ports";
import type { ArtifactChanges } from "@turnseal/protocol";
import type { FileState } from "@turnseal/protocol/artifact";
import { readContent } from "../../state/read-content.ts";

type FileStores = Pick<Stores, "blobs">;

/** The change of one file, as the settlement records it. */
export interface ChangedFile {
  readonly path: string;
  readonly before?: FileState;
  readonly after?: FileState;
  /** The state that was there, if the run had recorded another. */
  readonly was?: FileState | "absent" | "unknown";
}

/** The list of what an action changed; undefined if it was erased. */
export async function listChangedFiles(
  run: string,
  { changes }: ArtifactChanges,
  stores: FileStores,
): Promise<readonly ChangedFile[] | undefined> {
  const value = await readContent(stores, run, changes);
  // The kernel wrote it, and its digest is that of what the kernel wrote.
  return (value as { readonly changes: readonly ChangedFile[] } | undefined)?.changes;
}

/** True if the list of what was changed is there: content goes with its run, as a whole. */
export async function areFilesKept(
  run: string,
  changes: ArtifactChanges,
  stores: FileStores,
): Promise<boolean> {
  return (await listChangedFiles(run, changes, stores)) !== undefined;
}

/** The state of a file before the change; undefined if it is unknown. */
export function beforeOf({ before, was }: ChangedFile): FileState | null | undefined {
  if (was === "unknown") return undefined;
  if (was === "absent") return null;
  return was ?? before ?? null;
}

/** The state that a file was restored to. */
export interface RestoredFile {
  /** The run under whose key its content is named. */
  readonly run: string;
  /** Null for no file; undefined if it is unknown. */
  readonly state: FileState | null | undefined;
}

/** By path. */
export type RestoredFiles = ReadonlyMap<string, RestoredFile>;
