/** Finds the drift of managed files in their root. */
import {
  classifyDrift,
  type Drift,
  foldPath,
  isUnder,
  type RecordedFile,
} from "@turnseal/protocol/artifact";
import type { FileHint, FileRoot } from "./file-root.ts";

/** The recorded files of one root. */
export interface ManagedFiles {
  readonly files: readonly RecordedFile[];
  /** Folders whose every file is recorded. */
  readonly folders: readonly string[];
}

export type DriftAnswer =
  | {
      readonly kind: "looked";
      readonly drifts: readonly Drift[];
      /** Names in managed folders that no artifact can have: their state is unknown. */
      readonly unnamed: number;
    }
  | { readonly kind: "refused"; readonly reason: "absent" | "too-many" };

/**
 * Compares the recorded files with the root. With a hint it reads only the paths that may have
 * changed, and reports only those.
 *
 * @example
 * const answer = await findDrift(root, { files: recorded, folders: ["src"] });
 */
export async function findDrift(
  root: FileRoot,
  managed: ManagedFiles,
  hint: FileHint = { kind: "unsure" },
): Promise<DriftAnswer> {
  const asked = hint.kind === "unsure" ? askForAll(managed) : narrowTo(managed, hint.paths);
  const scan = await root.scan({ paths: asked.paths, folders: asked.folders });
  if (scan.kind === "refused") return scan;
  const { folders } = managed;
  const drifts = classifyDrift({ recorded: asked.files, observed: scan.entries, folders });
  return { kind: "looked", drifts, unnamed: scan.unnamed };
}

interface Asked extends ManagedFiles {
  readonly paths: readonly string[];
}

function askForAll({ files, folders }: ManagedFiles): Asked {
  return { files, folders, paths: files.map(({ path }) => path) };
}

/** The managed files that the paths concern, with files of equal folded paths. */
function narrowTo({ files, folders }: ManagedFiles, touched: readonly string[]): Asked {
  const folded = new Set(touched.map(foldPath));
  const near = files.filter(({ path }) => folded.has(foldPath(path)));
  const fresh = touched.filter((path) => folders.some((folder) => isUnder(path, folder)));
  const paths = new Set([...near.map(({ path }) => path), ...fresh]);
  return { files: near, folders: [], paths: [...paths] };
}
