/** Binds the files and things that a run manages, to look at them from here. */
import type { KnownRun } from "@turnseal/host";
import { bindInspected } from "@turnseal/kernel";
import { memorySecrets } from "@turnseal/ports";
import type { StoreFolder } from "../folder/store-folder.ts";
import { type BoundRoots, bindRoots } from "../project/bind-roots.ts";
import { listLoops } from "../project/loops/list-loops.ts";
import { listSecretNames, pickVariables } from "../project/tool-secrets.ts";
import { findElsewhere, findRunTarget } from "./find-run-target.ts";

interface Here {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where its loops are, if not where it was started from. */
  readonly from?: readonly string[] | undefined;
}

/**
 * The folders that are bound, and what the tools of the run inspect. Its loops are read only where
 * something is managed that no folder is bound to; where they are not to be found it stays so.
 */
export async function findRunRoots(
  known: KnownRun,
  folder: StoreFolder,
  { environment, from }: Here,
): Promise<BoundRoots> {
  const elsewhere = await findElsewhere(known, folder);
  if (elsewhere !== undefined) return elsewhere;
  const bound = bindRoots(environment);
  if (bound.kind === "unusable") return bound;
  const managed = Object.keys(known.projection?.artifacts ?? {});
  if (managed.every((name) => Object.hasOwn(bound.roots, name))) return bound;
  const target = await findRunTarget(known, folder, from);
  if (target.kind !== "found") return bound;
  const secrets = memorySecrets(pickVariables(listSecretNames(target.loaded), environment));
  const inspected = bindInspected(listLoops(target), secrets);
  return { ...bound, roots: { ...bound.roots, ...inspected } };
}
