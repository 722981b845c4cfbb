/**
 * Puts down a run that failed in a way that trying again cannot mend.
 *
 * 1. Nobody reads its content and nothing of its loops is run: what failed once must not fail here.
 * 2. A cancel always gets through: the open turn is closed as it stands, and the run stops.
 * 3. Otherwise the log says that the run is blocked, and by which error. Whoever has mended it has
 *    the run looked at again.
 */

import type { Carrier, HostPorts } from "./carrier.ts";
import type { Advanced, Progress } from "./decide/advanced.ts";
import { blockRun } from "./decide/block-run.ts";
import { dues } from "./decide/dues.ts";
import { takeCancel } from "./inbox/take-inbox.ts";
import { openCarrier } from "./open-carrier.ts";
import { decideAfterTurn } from "./turn/decide-after-turn.ts";
import { withdrawTurn } from "./turn/take-turn.ts";

export interface ParkOptions {
  /** The code of what failed. */
  readonly code: string;
  readonly attempt?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Ends a run that was cancelled, and leaves any other with its cause. */
export async function parkRun(
  run: string,
  ports: HostPorts,
  options: ParkOptions,
): Promise<Advanced> {
  const opened = await openCarrier(run, ports, options);
  if (opened.kind === "blocked") return { dues: opened };
  const { carrier } = opened;
  const { appender, projection, registry, stores } = carrier;
  if (projection().stopped !== null) return restOf(carrier);
  await takeCancel({ appender, inbox: stores.inbox, projection, registry });
  if (projection().isCancelled && projection().spec !== null) return endRun(carrier, options);
  return blockRun(carrier, { cause: "error", what: options.code });
}

async function endRun(
  carrier: Carrier,
  { onProgress = () => {} }: Pick<ParkOptions, "onProgress">,
): Promise<Advanced> {
  const { openTurn } = carrier.projection();
  const result = openTurn === null ? undefined : await withdrawTurn(carrier, openTurn);
  if (result?.kind === "blocked") return blockRun(carrier, result.block);
  // It was the turn alone that was cancelled, or another run has to end first.
  if (result?.kind === "waiting" || !carrier.projection().isCancelled) return restOf(carrier);
  const sealed = result?.kind === "closed" ? result.receipt : undefined;
  await decideAfterTurn(carrier, { onProgress, isOver: false, isEnding: true, sealed });
  return restOf(carrier);
}

async function restOf({ appender, projection }: Carrier): Promise<Advanced> {
  await appender.flush();
  return { dues: dues(projection()), projection: projection() };
}
