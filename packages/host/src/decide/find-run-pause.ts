import { type Block, findPause, formatPause, type Pauses } from "@turnseal/protocol";
import type { RunProjection } from "../projection/run-projection.ts";

/**
 * The pause that a run stands before; undefined where it may go on. What has begun an action goes
 * on with it, so the tools of those that are open count, and so does the pause that its turn has
 * met: nothing is begun again only to find it. A run that was cancelled begins nothing.
 */
export async function findRunPause(
  { spec, openTurn, blocked, isCancelled }: RunProjection,
  pauses: Pauses | undefined,
): Promise<Block | undefined> {
  if (pauses === undefined || spec === null || isCancelled) return undefined;
  const inForce = await pauses();
  const open = openTurn?.open.filter(({ handoff, isUnknown }) => handoff === null && !isUnknown);
  const tools = (open ?? []).map(({ name }) => name);
  const met = blocked?.cause === "paused" ? blocked.what : undefined;
  const pause =
    findPause(inForce, { loops: [spec.loop], tools }) ??
    inForce.find((each) => formatPause(each) === met);
  return pause === undefined ? undefined : { cause: "paused", what: formatPause(pause) };
}
