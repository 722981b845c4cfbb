/**
 * One step of a run under an engine: all of its actions, and then what is due next.
 *
 * Everything owed follows from the log alone: runs and times, never content, since the engine
 * stores it.
 */

import type { RunProjection } from "@turnseal/folds";
import { LogError } from "@turnseal/kernel";
import type { Clock } from "@turnseal/ports";
import { isLoopError } from "@turnseal/protocol";
import { type AdvanceOptions, advance } from "../advance.ts";
import type { Advanced, Blocked, Elsewhere } from "../decide/advanced.ts";
import { lookAtOf } from "../decide/look-at.ts";
import { deliver, listTold, OWING_PAUSE_MS } from "../deliver/deliver.ts";
import type { HostPorts } from "../host-ports.ts";
import { isFinalError } from "../state/final-error.ts";
import { askRollback } from "../undo/run/trigger-rollback.ts";
import { chooseLane } from "./lane-key.ts";
import { type Outliving, outliveEngine } from "./outlive-engine.ts";
import type { Slots } from "./slots.ts";
import { LANE_WAIT_MS_MAX, laneWaitMs, RETRY_PAUSE_MS_MAX, WAIT_INLINE_MS } from "./timing.ts";

export interface Owed {
  /** The last event of the log that this follows from. */
  readonly sequence: number;
  /** True when the run goes on at once. */
  readonly continues: boolean;
  /** The time of the next look. */
  readonly wakeAtMs?: number;
  /** Other runs that have something in their inbox. */
  readonly others: readonly string[];
  /** The time of the store that all of this was read at. */
  readonly nowMs: number;
  /** The release that goes on with the run, if this worker lacks something. */
  readonly elsewhere?: Elsewhere;
}

export interface StepOptions extends AdvanceOptions {
  /** Called at each look at a run that cannot go on here. */
  readonly onBlocked?: (run: string, blocked: Blocked) => void;
  /** Called for a failure that the engine tries again. Its words may hold content. */
  readonly onFailed?: (run: string, error: unknown) => void;
}

/** There is no slot for the run: it was not looked at, and its message queues in a lane. */
export interface Queued {
  readonly lane: number;
  readonly nowMs: number;
}

export function isQueued(stepped: Owed | Queued): stepped is Queued {
  return "lane" in stepped;
}

/** Where a step is taken. */
export interface StepPlace {
  readonly tenant: string;
  readonly slots: Slots;
  /** How many steps of the tenant are taken at once by all workers; as many as come without it. */
  readonly cap?: number;
  /** Where the message comes from: the engine, a lane that has asked so often, or a release. */
  readonly from: "engine" | "release" | { readonly lane: number };
}

/** Drives the run when there is a slot, or returns the lane where it must queue for one. */
export async function stepInSlot(
  run: string,
  ports: HostPorts,
  options: StepOptions,
  { tenant, slots, cap, from }: StepPlace,
): Promise<Owed | Queued> {
  const { clock } = ports;
  const { attempt } = options;
  const isFromEngine = from === "engine";
  // A tenant with a cap has as many lanes: none of its steps is taken outside of them.
  const take = (waitMs: number) =>
    slots.take({
      ...{ tenant, clock, isFromLane: !isFromEngine, waitMs },
      ...(attempt === undefined ? {} : { attempt }),
    });
  let release =
    isFromEngine && cap !== undefined
      ? undefined
      : await take(typeof from === "object" ? laneWaitMs(from.lane) : WAIT_INLINE_MS);
  // Another attempt has replaced this one, which must not take the run back.
  if (attempt?.aborted === true) {
    release?.();
    return nothingOwed(clock.now());
  }
  if (release === undefined) return { lane: chooseLane(run, cap), nowMs: clock.now() };
  // A run that rests holds no slot.
  const rest = async (ms: number): Promise<void> => {
    release?.();
    release = undefined;
    await passTime(clock, ms, attempt);
    release = await take(LANE_WAIT_MS_MAX);
    if (release === undefined || attempt?.aborted === true)
      throw new LogError("LOG_FENCED", "the run rested, and is left to the next attempt");
  };
  try {
    return await stepRun(run, ports, { ...options, rest });
  } catch (error) {
    // A run that fails by itself is tried again, and those behind it in the lane need not wait.
    if (typeof from !== "object" || isPassing(error)) throw error;
    const nowMs = clock.now();
    return { ...nothingOwed(nowMs), wakeAtMs: nowMs + RETRY_PAUSE_MS_MAX };
  } finally {
    release?.();
  }
}

/** Settles after a time, or when the attempt is over. */
function passTime(clock: Clock, ms: number, attempt: AbortSignal | undefined): Promise<void> {
  return new Promise((resume) => {
    const stop = clock.after(ms, () => {
      attempt?.removeEventListener("abort", end);
      resume();
    });
    const end = (): void => {
      stop();
      resume();
    };
    attempt?.addEventListener("abort", end, { once: true });
  });
}

/** True if something is away that others need as well. */
function isPassing(error: unknown): boolean {
  return isLoopError(error) && error.retry !== "never";
}

/** How long a run that another worker took is left alone. */
const FENCED_PAUSE_MS = 1_000;

/**
 * Drives the run to where it waits, stops, or its slice is over. A worker that lost the engine and
 * still executes an action of the run keeps it until that action is recorded.
 */
export async function stepRun(
  run: string,
  ports: HostPorts,
  { onBlocked, onFailed, attempt, ...options }: StepOptions,
): Promise<Owed> {
  const nowMs = ports.clock.now();
  let outliving: Outliving | undefined;
  try {
    const { leases } = ports.stores;
    // Another worker keeps the run: it executes an action of it.
    if (attempt !== undefined && (await leases?.read(run)) !== undefined)
      return { ...nothingOwed(nowMs), wakeAtMs: nowMs + FENCED_PAUSE_MS };
    outliving = outliveEngine(run, leases, attempt);
    const { dues, projection } = await advance(run, ports, { ...options, ...outliving.signals });
    const elsewhere = dues.kind === "blocked" ? dues.elsewhere : undefined;
    if (dues.kind === "blocked" && elsewhere === undefined) onBlocked?.(run, dues);
    const wake = {
      ...wakeOf(dues, nowMs),
      ...(elsewhere === undefined ? {} : { elsewhere }),
    };
    if (projection === undefined) return { ...nothingOwed(nowMs), ...wake };
    // Also when it is blocked: others may wait for what it owes them.
    const delivery = await deliver(projection, ports);
    const continues = dues.kind === "continue" || delivery === "told";
    const soon = delivery === "owing" ? { wakeAtMs: nowMs + OWING_PAUSE_MS } : {};
    const told = await listTold(projection, ports.stores);
    const rollback = await askRollback(projection, ports);
    // A rollback that has begun is driven by the worker that got its start.
    const unbegun = rollback?.projection === undefined ? rollback?.run : undefined;
    const moved = describeMoved(projection, unbegun === undefined ? told : [...told, unbegun]);
    return { ...moved, ...wake, ...soon, continues, nowMs: ports.clock.now() };
  } catch (error) {
    // The engine runs one attempt at a time. So the other writer is an attempt that it gave up,
    // which will not report what is due. If this attempt is the abandoned one, its answer is
    // ignored.
    if (isLoopError(error) && error.code === "LOG_FENCED")
      return { ...nothingOwed(nowMs), wakeAtMs: nowMs + FENCED_PAUSE_MS };
    if (!isFinalError(error)) {
      onFailed?.(run, error);
      throw error;
    }
    // Even the cause could not be recorded: the operator of the worker learns of it, and the engine
    // does not retry for ever.
    onBlocked?.(run, { kind: "blocked", why: "error", what: error.code });
    return nothingOwed(nowMs);
  } finally {
    await outliving?.end();
  }
}

/** For a run that was not moved: no event was seen. */
function nothingOwed(nowMs: number): Owed {
  return { sequence: 0, continues: false, others: [], nowMs };
}

function wakeOf(dues: Advanced["dues"], nowMs: number): Pick<Owed, "wakeAtMs"> {
  const atMs = lookAtOf(dues, nowMs);
  return atMs === undefined ? {} : { wakeAtMs: atMs };
}

function describeMoved(
  projection: RunProjection,
  told: readonly string[],
): Pick<Owed, "sequence" | "others"> {
  const { sequence, stopped, spec } = projection;
  const parent = stopped === null ? undefined : spec?.parent?.run;
  return {
    sequence,
    others: [...told, ...(parent === undefined ? [] : [parent])],
  };
}
