import type { Finding } from "@turnseal/documents";
import { describeRelease, type Release } from "@turnseal/host";
import { findLoopsFolder } from "./find-loops-folder.ts";
import { loadLoops } from "./load-loops.ts";

export type ReleaseLoading =
  | { readonly kind: "loaded"; readonly release: Release }
  | { readonly kind: "refused"; readonly problems: readonly Finding[] }
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

/**
 * Loads the release of a project: everything that its workers can execute. It needs no model and no
 * secret.
 */
export async function loadRelease(from: readonly string[] | undefined): Promise<ReleaseLoading> {
  const next = "--from <the files or folders that the workers serve>";
  const paths = await findLoopsFolder(from);
  if (paths.length === 0)
    return { kind: "unusable", message: "there is no folder ./loops to deploy", next };
  const loaded = await loadLoops(paths, "strict");
  if (loaded.kind === "unusable") return { ...loaded, next };
  if (loaded.problems.length > 0) return { kind: "refused", problems: loaded.problems };
  return { kind: "loaded", release: describeRelease(loaded) };
}
