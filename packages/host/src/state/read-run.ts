import type { RunProjection } from "@turnseal/folds";
import { HostError } from "../host-error.ts";
import { loadProjection, type RunReader } from "./load-projection.ts";

/** How often a moving run is read before its log counts as older. */
const LOOKS_MAX = 100;

/** Reads the state of a run without driving it; undefined if there is no such run. */
export async function readRun(stores: RunReader, run: string): Promise<RunProjection | undefined> {
  let head = await stores.log.readHead(run);
  for (let looks = 1; head !== undefined; looks++) {
    const loaded = await loadProjection(stores, run, head);
    if (loaded.kind !== "stale") return loaded.projection;
    // An append between the two reads leaves the snapshot ahead of the head that was read. Where
    // there was none, the log is older for good.
    const now = await stores.log.readHead(run);
    if (looks >= LOOKS_MAX || now?.sequence === head.sequence)
      throw new HostError("RUN_STALE", `the log of ${run} is older than its snapshot`);
    head = now;
  }
  return undefined;
}
