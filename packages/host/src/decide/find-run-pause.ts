import type { RunProjection } from "@turnseal/folds";
import { type Block, findPause, formatPause, type Pauses } from "@turnseal/protocol";

/**
 * Finds the pause that blocks a run; undefined if it may go on. Pauses of the tools of open actions
 * count, and so does the pause that the open turn has met already: a run must not resume only to
 * meet it. A cancelled run begins nothing.
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
