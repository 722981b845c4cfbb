import type { Block } from "@turnseal/protocol";
import { isDrifted, openDriftFinder } from "../drift/drift-finder.ts";
import type { HeldRun } from "../state/held-run.ts";

/**
 * Blocks the next turn of a run that begins none while its files have drifted. Files that cannot be
 * read count as drifted.
 */
export async function findWorldDrift({
  projection,
  stores,
  tools,
}: Pick<HeldRun, "projection" | "stores" | "tools">): Promise<Block | undefined> {
  const { run, spec, artifacts = {} } = projection();
  if (spec?.bounds.noDrift !== true) return undefined;
  const { roots } = tools;
  const found = await openDriftFinder(run, { stores, roots }).find(artifacts);
  const drifted = found.find(isDrifted);
  if (drifted === undefined) return undefined;
  const isUnbound = drifted.kind === "unknown" && drifted.why === "unbound";
  return { cause: isUnbound ? "root-missing" : "world-drift", what: drifted.root };
}
