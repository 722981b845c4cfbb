import { HostError } from "../host-error.ts";
import { loadProjection, type RunReader } from "./load-projection.ts";
import type { RunProjection } from "./run-projection.ts";

/** Looks at a run that somebody else moves before it is said that its log is older. */
const LOOKS_MAX = 100;

/** The state of a run, for whoever only looks; undefined when there is no such run. */
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
