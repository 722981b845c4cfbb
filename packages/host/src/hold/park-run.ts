/**
 * Parks a run that failed in a way that a retry cannot fix.
 *
 * 1. Its content is not read and its loops do not run: the same failure must not happen here.
 * 2. A cancel always gets through: the open turn is closed as it stands, and the run stops.
 * 3. Otherwise the log says that the run is blocked, with the error. After the cause is fixed, a
 *    person has the run looked at again.
 */

import type { Advanced, Progress } from "../decide/advanced.ts";
import { blockRun } from "../decide/block-run.ts";
import { dues } from "../decide/dues.ts";
import type { HostPorts } from "../host-ports.ts";
import { takeCancel, takeInbox } from "../inbox/take-inbox.ts";
import type { HeldRun } from "../state/held-run.ts";
import { decideAfterTurn } from "../turn/decide-after-turn.ts";
import { withdrawTurn } from "../turn/run-next-turn.ts";
import { holdRun } from "./hold-run.ts";

export interface ParkOptions {
  /** The code of what failed. */
  readonly code: string;
  /** True when its start was taken in. It may not have been written. */
  readonly isStarted: boolean;
  readonly attempt?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Ends a run that was cancelled, and leaves any other with its cause. */
export async function parkRun(
  run: string,
  ports: HostPorts,
  options: ParkOptions,
): Promise<Advanced> {
  const holding = await holdRun(run, ports, options);
  if (holding.kind === "blocked") return { dues: holding };
  const { held } = holding;
  const { appender, projection, registry, stores } = held;
  if (projection().stopped !== null) return restOf(held);
  const target = { appender, stores, projection, registry };
  if (options.isStarted && projection().spec === null) await takeInbox(target);
  await takeCancel(target);
  if (projection().isCancelled && projection().spec !== null) return endRun(held, options);
  return blockRun(held, { cause: "error", what: options.code });
}

async function endRun(
  held: HeldRun,
  { onProgress = () => {} }: Pick<ParkOptions, "onProgress">,
): Promise<Advanced> {
  const { openTurn } = held.projection();
  const result = openTurn === null ? undefined : await withdrawTurn(held, openTurn);
  if (result?.kind === "blocked") return blockRun(held, result.block);
  // It was the turn alone that was cancelled, or another run has to end first.
  if (result?.kind === "waiting" || !held.projection().isCancelled) return restOf(held);
  const sealed = result?.kind === "closed" ? result.receipt : undefined;
  await decideAfterTurn(held, { onProgress, isOver: false, isEnding: true, sealed });
  return restOf(held);
}

async function restOf({ appender, projection }: HeldRun): Promise<Advanced> {
  await appender.flush();
  return { dues: dues(projection()), projection: projection() };
}
