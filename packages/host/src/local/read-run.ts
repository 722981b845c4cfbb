import type { Stores } from "@turnseal/ports";
import { loadProjection } from "../load-projection.ts";
import type { RunProjection } from "../projection/run-projection.ts";
import { HostError } from "./host-error.ts";

/** The state of a run, or undefined when nobody has carried it yet. */
export async function readRun(
  stores: Pick<Stores, "log" | "runs">,
  run: string,
): Promise<RunProjection | undefined> {
  const head = await stores.log.readHead(run);
  if (head === undefined) return undefined;
  const loaded = await loadProjection(stores, run, head);
  if (loaded.kind === "stale")
    throw new HostError("RUN_STALE", `the log of ${run} is older than its snapshot`);
  return loaded.projection;
}
