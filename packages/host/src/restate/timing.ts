/**
 * All times for the engine, derived from two: how long one action may take, and how long one
 * message goes on starting turns.
 */
import type { Registry } from "@turnseal/kernel";
import { SLICE_MS_DEFAULT } from "../advance.ts";

/** The longest that one action may take on a durable host, unless its operator says otherwise. */
export const ACTION_MAX_MS_DEFAULT = 10 * 60 * 1000;
/** Waits up to this are made inside a message; longer ones end it, with a time to wake. */
export const WAIT_INLINE_MS = 5_000;
/** The longest wait of a message from a lane for a slot, before the engine tries another worker. */
export const LANE_WAIT_MS_MAX = 60_000;
/** The longest pause between two attempts while a store or the engine is away. */
export const RETRY_PAUSE_MS_MAX = 5_000;

export interface RunTiming {
  /** The longest that one action may take. */
  readonly actionMaxMs?: number;
  /** How long one message goes on starting turns. */
  readonly sliceMs?: number;
  /**
   * How long a handler may be silent before the engine takes it off its worker. By default it
   * follows from the others; with 0 the engine replays at every step, which shows what depends on
   * it.
   */
  readonly inactivityMs?: number;
}

export interface EngineTiming {
  readonly actionMaxMs: number;
  readonly sliceMs: number;
  /** The engine asks a handler to end that says nothing for so long. */
  readonly inactivityTimeout: number;
  /** The engine gives up a handler that does not end for so long after that. */
  readonly abortTimeout: number;
}

/**
 * A closure that runs longer than the engine waits is started a second time. So the engine waits
 * longer than anything can take: a slice, and an action that begins at its very end.
 */
export function engineTiming({
  actionMaxMs = ACTION_MAX_MS_DEFAULT,
  sliceMs = SLICE_MS_DEFAULT,
  inactivityMs = sliceMs + actionMaxMs,
}: RunTiming = {}): EngineTiming {
  const abortTimeout = sliceMs + actionMaxMs;
  return { actionMaxMs, sliceMs, inactivityTimeout: inactivityMs, abortTimeout };
}

/**
 * How long a message from a lane waits for a slot: short at first, since another worker may have
 * one, and then longer, since probably none has.
 */
export function laneWaitMs(round: number): number {
  return Math.min(WAIT_INLINE_MS * 2 ** round, LANE_WAIT_MS_MAX);
}

/** Tools that may take longer than the host allows, by the id of their loop. */
export function listSlowTools(registry: Registry, { actionMaxMs }: EngineTiming): string[] {
  return registry
    .list()
    .filter(({ definition }) => (definition.policy?.timeoutMs ?? 0) > actionMaxMs)
    .map(({ definition }) => definition.id);
}
