/**
 * One step forward: take the epoch, drive the run to where it waits, stops, or its slice is over.
 *
 * 1. The worker that advances a run becomes its only writer; the previous writer is fenced.
 * 2. Everything decided here follows from the log: a second look at the same log decides the same.
 * 3. The host chooses which turn to ask for. The kernel decides what the turn may do.
 */

import type { RunProjection } from "@turnseal/folds";
import { LogError } from "@turnseal/kernel";
import type { Advanced, Leaving, Progress } from "./decide/advanced.ts";
import { leaveRun } from "./decide/block-run.ts";
import { dues, isCommitted } from "./decide/dues.ts";
import { findQuarantine, lostPauseMs } from "./decide/find-quarantine.ts";
import { findRunPause } from "./decide/find-run-pause.ts";
import { holdRun } from "./hold/hold-run.ts";
import { parkRun } from "./hold/park-run.ts";
import type { HostPorts } from "./host-ports.ts";
import { answerWaits } from "./inbox/answer-waits.ts";
import { takeInbox } from "./inbox/take-inbox.ts";
import { takeLateResolutions } from "./inbox/take-late-resolutions.ts";
import { appendTicks } from "./schedule/append-ticks.ts";
import { isFinalError } from "./state/final-error.ts";
import { findUnstarted, isUnstarted } from "./state/find-unstarted.ts";
import type { HeldRun } from "./state/held-run.ts";
import { openPinnedLoops } from "./state/pinned-loops.ts";
import { registerPlanOf } from "./state/register-plan.ts";
import { decideAfterTurn } from "./turn/decide-after-turn.ts";
import { findEnd, type UnbegunEnd } from "./turn/find-end.ts";
import { askLimitOnce } from "./turn/find-limit.ts";
import { runNextTurn } from "./turn/run-next-turn.ts";

export interface AdvanceOptions extends Leaving {
  /** How long one call may go on starting turns. */
  readonly sliceMs?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Aborted when another attempt replaces this one: from then on it does nothing. */
  readonly attempt?: AbortSignal;
  /**
   * Aborted to leave the run for later. From then on nothing begins. Once the running actions have
   * ended and are recorded, `advance` rejects with `LOG_FENCED`.
   */
  readonly leave?: AbortSignal;
  /** True if a run is left alone that has lost its workers again and again. */
  readonly quarantines?: boolean;
  /**
   * Makes the pause before the last attempt, counted from now. Without it, the host owes the run a
   * wake, counted from its last event.
   */
  readonly rest?: (ms: number) => Promise<void>;
  /** True if a result is kept while the store is away, until the deadline of its claim. */
  readonly keepsResults?: boolean;
}

/** How long one call of `advance` goes on starting turns. */
export const SLICE_MS_DEFAULT = 30_000;

/**
 * Takes a run one step forward. Errors that a retry cannot fix are not retried: the run is left
 * with its cause, or ended if it was cancelled.
 */
export async function advance(
  run: string,
  ports: HostPorts,
  options: AdvanceOptions = {},
): Promise<Advanced> {
  let held: HeldRun | undefined;
  try {
    const holding = await holdRun(run, ports, options);
    if (holding.kind === "blocked") return { dues: holding };
    held = holding.held;
    return await advanceHeld(await withPinnedLoops(held), options);
  } catch (error) {
    if (!isFinalError(error)) throw error;
    const isStarted = held !== undefined && held.projection().spec !== null;
    return parkRun(run, ports, { ...options, code: error.code, isStarted });
  }
}

/** The run, with its own loops where those of this worker are others. */
async function withPinnedLoops(held: HeldRun): Promise<HeldRun> {
  const place = { ...held, flush: () => held.appender.flush() };
  const registry = await openPinnedLoops(held.projection(), place);
  return registry === held.registry ? held : { ...held, registry };
}

async function advanceHeld(held: HeldRun, options: AdvanceOptions): Promise<Advanced> {
  const { projection, clock } = held;
  const { sliceMs = SLICE_MS_DEFAULT } = options;
  const endMs = clock.now() + sliceMs;
  const firstLook = { ...inboxOf(held), seen: held.inbox, joins: true };
  // A wait may be for what came before it, and takes that before what comes now.
  await answerWaits(held);
  const isLeft = projection().stopped === null && (await takeInbox(firstLook)) === "left";
  await answerWaits(held);
  await registerPlanOf(projection(), held);
  // The start may have been taken in just now.
  return carryOn(await withPinnedLoops(held), { ...options, isLeft, endMs });
}

const inboxOf = ({ appender, stores, projection, registry, tools }: HeldRun) => ({
  ...{ appender, stores, projection, registry },
  roots: tools.roots,
});

interface CarryOptions extends AdvanceOptions {
  /** True if something is left in the inbox. */
  readonly isLeft: boolean;
  /** When no further turn begins. */
  readonly endMs: number;
}

async function carryOn(
  held: HeldRun,
  { isLeft, endMs, ...options }: CarryOptions,
): Promise<Advanced> {
  const { appender, projection, clock } = held;
  const { onProgress = () => {} } = options;
  const inboxTarget = inboxOf(held);
  if (!isLeft && isStillWaiting(projection(), clock.now())) {
    const rest = await restOf(held, options);
    // A worker that can start the child run which the last worker could not start goes on, and
    // records it.
    if (rest.dues.kind === "blocked" || !isUnstarted(projection())) return rest;
  }
  const lost = options.quarantines ? findQuarantine(projection(), clock.now()) : undefined;
  if (lost?.kind === "quarantined") return leaveRun(held, lost.block, options);
  if (lost?.kind === "pause" && options.rest === undefined) {
    await appender.flush();
    return { dues: { kind: "wake", atMs: lost.atMs }, projection: projection() };
  }
  if (lost !== undefined && options.rest !== undefined) {
    await appender.flush();
    await options.rest(lostPauseMs(projection().run));
    // It may have been cancelled meanwhile.
    await takeInbox(inboxTarget);
  }
  let isResumed = projection().openTurn !== null;
  let isFirst = true;
  let sealed: string | undefined;
  while (projection().stopped === null && projection().spec !== null) {
    if (held.leave?.aborted === true) throw new LogError("LOG_FENCED", "the run was left");
    const pause = await findRunPause(projection(), held.pauses);
    const findLimit = askLimitOnce(held);
    let end: UnbegunEnd | undefined;
    if (!isResumed) {
      const isOver = pause !== undefined || (!isFirst && clock.now() >= endMs);
      await appendTicks(held);
      end = await findEnd(projection(), held);
      const decision = await decideAfterTurn(held, { onProgress, isOver, sealed, findLimit, end });
      if (decision.kind !== "continue" || (isOver && pause === undefined)) break;
    }
    if (pause !== undefined) return leaveRun(held, pause, options);
    const result = await runNextTurn(held, { isResumed, findLimit, end });
    [isResumed, isFirst] = [false, false];
    if (result.kind === "blocked") return leaveRun(held, result.block, options);
    if (result.kind === "waiting") {
      await answerWaits(held);
      if (!appender.isInboxEmpty()) await takeInbox(inboxTarget);
      await answerWaits(held);
      break;
    }
    sealed = result.receipt;
    const turn = projection().turns;
    // The append that closed the turn has checked the inbox; later messages bring another advance.
    if (!appender.isInboxEmpty()) await takeInbox(inboxTarget);
    onProgress({ kind: "turn", turn, result, decision: undefined, projection: projection() });
  }
  await takeLateResolutions(held);
  return restOf(held, options);
}

/**
 * Returns what the host owes the run next; a run that waits for a run which cannot be started here
 * is blocked.
 */
async function restOf(held: HeldRun, options: AdvanceOptions): Promise<Advanced> {
  const { appender, projection } = held;
  await appender.flush();
  const lack = projection().isCancelled ? undefined : await findUnstarted(projection(), held);
  if (lack !== undefined) return leaveRun(held, lack, options);
  return { dues: dues(projection()), projection: projection() };
}

/** A waiting run is left alone until its time has come, a message arrives, or it is cancelled. */
function isStillWaiting(run: RunProjection, nowMs: number): boolean {
  if (run.isCancelled && !isCommitted(run)) return false;
  const owed = dues(run);
  if (owed.kind !== "wait" && owed.kind !== "wake") return false;
  return owed.atMs === undefined || nowMs < owed.atMs;
}
