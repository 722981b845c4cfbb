import type { Block } from "@turnseal/protocol";
import { isDrifted, openRunWorld } from "../drift/run-world.ts";
import type { HeldRun } from "../held-run.ts";

/**
 * What keeps a run from its next turn that begins none while its files are not what it recorded.
 * Where nobody can say what they are, they are not.
 */
export async function findWorldDrift({
  projection,
  stores,
  tools,
}: Pick<HeldRun, "projection" | "stores" | "tools">): Promise<Block | undefined> {
  const { run, spec, artifacts = {} } = projection();
  if (spec?.bounds.noDrift !== true) return undefined;
  const { roots } = tools;
  const found = await openRunWorld(run, { stores, roots }).look(artifacts);
  const drifted = found.find(isDrifted);
  if (drifted === undefined) return undefined;
  const isUnbound = drifted.kind === "unknown" && drifted.why === "unbound";
  return { cause: isUnbound ? "root-missing" : "world-drift", what: drifted.root };
}
