/** The files under roots that calls read, so that a later call is answered only while they stay. */
import { digestOfRead, type RunArtifacts } from "../log/run-artifacts.ts";

/** A file as a tool read it: its digest, or why there was none. */
export interface SeenFile {
  readonly root: string;
  readonly path: string;
  readonly digest: string;
}

/** Stands for the digest of a listed folder: no cheap check shows that it is the same. */
export const LISTED = "listed";

/** By the call that read them. */
export type SeenFiles = Map<string, SeenFile[]>;

/** True if each file is as it was read. */
export async function areSame(
  files: readonly SeenFile[],
  artifacts: RunArtifacts,
): Promise<boolean> {
  for (const { root, path, digest } of files) {
    if (digest === LISTED) return false;
    const now = await artifacts.open(root)?.files.read(path);
    if (now === undefined || digestOfRead(now) !== digest) return false;
  }
  return true;
}
