import { findRootRun, type KnownRun, readRollbackHead, registerPlanOf } from "@turnseal/host";
import { readOrigin } from "../folder/origin.ts";
import type { StoreFolder } from "../folder/store-folder.ts";
import type { Target } from "../project/find-target.ts";
import { type LoadedLoops, loadLoops } from "../project/load-loops.ts";

export type RunTargetSearch =
  | Target
  | { readonly kind: "refused"; readonly loaded: LoadedLoops }
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

/**
 * Loads the loops of a run from where they were when it started, or from where the command line
 * says.
 */
export async function findRunTarget(
  { run, projection }: KnownRun,
  folder: StoreFolder,
  from: readonly string[] | undefined,
): Promise<RunTargetSearch> {
  const { path, stores } = folder;
  const origin = await readOrigin(path, run);
  // A run that was handed to has its loops from where the first one has them, and a rollback that
  // its run has asked for from where that has them.
  const taken =
    origin === undefined ? (await readRollbackHead(stores, projection))?.run : undefined;
  const above = origin ?? (await readOrigin(path, await findRootRun(stores, taken ?? run)));
  const paths = from ?? above?.from;
  const id = projection?.spec?.loop ?? origin?.loop;
  const version = projection?.spec?.version ?? origin?.version;
  const next = "the same command with --from <files or folders>";
  if (paths === undefined || id === undefined)
    return {
      kind: "unusable",
      message: "the run was started from code, so the location of its loops is not recorded",
      next,
    };
  const loaded = await loadLoops(paths, "strict");
  if (loaded.kind === "unusable") return { ...loaded, next };
  if (loaded.problems.length > 0) return { kind: "refused", loaded };
  if (projection !== undefined)
    await registerPlanOf(projection, { registry: loaded.registry, stores: folder.stores });
  return { kind: "found", id, version, loaded, paths };
}
