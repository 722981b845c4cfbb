/** What became of managed files, asked of their root. */
import {
  classifyDrift,
  type Drift,
  foldPath,
  isUnder,
  type RecordedFile,
} from "@turnseal/protocol/artifact";
import type { FileHint, FileRoot } from "./file-root.ts";

/** What is recorded of one root. */
export interface ManagedFiles {
  readonly files: readonly RecordedFile[];
  /** Folders of which everything is recorded. */
  readonly folders: readonly string[];
}

export type DriftAnswer =
  | {
      readonly kind: "looked";
      readonly drifts: readonly Drift[];
      /** Names in managed folders that no artifact can have: nobody can say what they are. */
      readonly unnamed: number;
    }
  | { readonly kind: "refused"; readonly reason: "absent" | "too-many" };

/**
 * Compares what is recorded with what is there. With a hint it looks only at what may have changed,
 * and says nothing of the rest.
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

/** The part of what is managed that paths are about, with what their twins are. */
function narrowTo({ files, folders }: ManagedFiles, touched: readonly string[]): Asked {
  const folded = new Set(touched.map(foldPath));
  const near = files.filter(({ path }) => folded.has(foldPath(path)));
  const fresh = touched.filter((path) => folders.some((folder) => isUnder(path, folder)));
  const paths = new Set([...near.map(({ path }) => path), ...fresh]);
  return { files: near, folders: [], paths: [...paths] };
}
