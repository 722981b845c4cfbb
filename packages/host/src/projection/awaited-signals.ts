/**
 * The signals that a run waits for, as a fold: how many no turn has begun with yet, and from where
 * on the log holds them. The log is the queue, so that a flood of signals is no flood of state.
 */
import type { Actor, BlobRef, JsonObject, LoopEvent } from "@turnseal/protocol";
import type { AwaitedSignals, RunProjection } from "./run-projection.ts";

/** The signal that a turn begins with, as the decision for the turn names it. */
export interface ConsumedSignal {
  readonly sequence: number;
  readonly name: string;
  readonly payload: BlobRef;
  /** Its event, and who sent it. */
  readonly hash: string;
  readonly by: Actor;
}

export const NO_AWAITED: AwaitedSignals = { count: 0, after: 0, isWaiting: false, ticks: {} };

/** True for a signal that turns of this run begin with. */
export function isAwaited({ spec }: RunProjection, { type, content }: LoopEvent): boolean {
  const { kind, name } = content;
  const awaits = spec?.bounds.awaits ?? [];
  return type === "signal.received" && kind === "signal" && awaits.includes(String(name));
}

/** One more signal waits for its turn. */
export function receiveAwaited(before: AwaitedSignals | null, event: LoopEvent): AwaitedSignals {
  const { sequence, actor, content } = event;
  const awaited = before ?? NO_AWAITED;
  const after = awaited.count === 0 ? sequence - 1 : awaited.after;
  // Only a schedule gives a signal in the name of the host.
  const tick = { at: String(content["receivedAt"]), sequence };
  const given = actor.kind === "host" ? { [String(content["name"])]: tick } : {};
  const ticks = { ...awaited.ticks, ...given };
  return { ...awaited, count: awaited.count + 1, after, ticks };
}

/** The decision after a turn: to wait, or to begin another with the signal that it names. */
export function decideAwaited(run: RunProjection, content: JsonObject): RunProjection {
  const isWaiting = content["decision"] === "wait";
  const signal = content["signal"] as unknown as ConsumedSignal | undefined;
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
