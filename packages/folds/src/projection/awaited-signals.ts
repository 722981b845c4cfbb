/**
 * The signals that a run waits for, as a fold: how many no turn has begun with yet, and from where
 * on the log holds them. The log is the queue, so that a flood of signals is no flood of state.
 */
import type { ContentOf, EventOf, LoopEvent } from "@turnseal/protocol";
import type { AwaitedSignals, RunProjection } from "./run-projection.ts";

export const NO_AWAITED: AwaitedSignals = { count: 0, after: 0, isWaiting: false, ticks: {} };

/** True for a signal that turns of this run begin with. */
export function isAwaited({ spec }: RunProjection, event: LoopEvent): event is SignalEvent {
  if (event.type !== "signal.received" || event.content.kind !== "signal") return false;
  // It answers a wait in the middle of a turn.
  if (event.content.wait !== undefined) return false;
  return spec?.bounds.awaits?.includes(event.content.name) ?? false;
}

/** A signal that was taken in. */
export type SignalEvent = EventOf<"signal.received"> & {
  readonly content: Extract<ContentOf<"signal.received">, { readonly kind: "signal" }>;
};

/** One more signal waits for its turn. */
export function receiveAwaited(before: AwaitedSignals | null, event: SignalEvent): AwaitedSignals {
  const { sequence, actor, content } = event;
  const awaited = before ?? NO_AWAITED;
  const after = awaited.count === 0 ? sequence - 1 : awaited.after;
  // Only a schedule gives a signal with the host as its actor.
  const tick = { at: content.receivedAt, sequence };
  const given = actor.kind === "host" ? { [content.name]: tick } : {};
  const ticks = { ...awaited.ticks, ...given };
  return { ...awaited, count: awaited.count + 1, after, ticks };
}

/** The decision after a turn: to wait, or to begin another with the signal that it names. */
export function decideAwaited(
  run: RunProjection,
  { decision, reason, signal }: ContentOf<"run.decided">,
): RunProjection {
  const isWaiting = decision === "wait" && reason === "signal-awaited";
  const awaited = run.awaited ?? NO_AWAITED;
  if (signal === undefined)
    return awaited.isWaiting === isWaiting ? run : { ...run, awaited: { ...awaited, isWaiting } };
  const { sequence, hash, by, name, payload } = signal;
  return {
    ...run,
    signals: { ...run.signals, [name]: payload },
    trigger: { type: "signal.received", sequence, hash, by },
    awaited: { ...awaited, count: awaited.count - 1, after: sequence, isWaiting },
  };
}
