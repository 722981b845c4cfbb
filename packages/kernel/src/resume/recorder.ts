/**
 * Records what happens in one root call and everything below it.
 *
 * 1. Times never go backwards, whatever the clock does. Durations are differences between the times
 *    of events, so that they follow from the record alone.
 * 2. The trace is bounded. Events that close what is open always fit; others are refused once it is
 *    full.
 * 3. A sink is told and not waited for: nothing it does can change the call. What it is given is
 *    frozen, since the trace is made of the same events.
 */
import type { Clock, EventSink } from "@turnseal/ports";
import type { ContentDigest, JsonValue, LoopEvent } from "@turnseal/protocol";
import type { CallEvent } from "@turnseal/protocol/trace";
import { deepFreeze } from "../deep-freeze.ts";
import { formatInstant } from "../format-instant.ts";
import { TRACE_EVENTS_MAX } from "../limits.ts";
import type { Branch } from "./branch.ts";
import type { ClosedItem, ItemOfCall } from "./item-place.ts";
import { StoppedError } from "./stopped-error.ts";

type WithoutTime<Event> = Event extends CallEvent ? Omit<Event, "at"> : never;

/** An event before its time is known. */
export type Happening = WithoutTime<CallEvent>;

export interface Recorder {
  /** Every event so far: of a root call, or of the turn. */
  listEvents(): readonly CallEvent[];
  /** Records an event that is made for its time, and answers with that time. */
  record(make: (nowMs: number) => Happening): number;
  /**
   * The time of the latest event, less the time in which nobody worked on it: the only time that a
   * decision may rest on. A deadline does not run while a person thinks or a machine is down.
   */
  lastMs(): number;
  /** How long nobody worked on it so far. */
  idleMs(): number;
  /**
   * The time of the first event of a record, or of a fork; undefined before it. A fork is made
   * where its time is that of what stands around it, and may say nothing for long after that.
   */
  beganMs(): number | undefined;
  /**
   * The same record, with a time of its own: for one of several that run beside each other. One
   * that was told to stop throws `StoppedError` in place of saying anything new.
   */
  fork(branch: Branch, item?: ItemOfCall): Recorder;
  /** Time goes on from the latest of these, whatever the order in which they ended. */
  join(forks: readonly Recorder[]): void;
  /**
   * Takes over the time of an event that the journal made. What a tool says while it runs is not
   * said again by a resume: time goes on from the end of the action, which is the same in both.
   */
  follow(event: Pick<LoopEvent, "at" | "sequence">): void;
  /** True when more of a call is recorded than was made again; of any call, without one. */
  hasBegun(call?: string): boolean;
  /**
   * True when what a call says next, or next of a child or at a path of its flow, would come before
   * what is recorded.
   */
  isEarly(call: string, about?: string): boolean;
  /** True when something is recorded of an item that was not made again. */
  hasBegunItem(item: ItemOfCall): boolean;
  /** The items of a fan-out that the record says have ended, in the order in which they did. */
  listClosed(call: string, path: string): readonly ClosedItem[];
  /** The items of a fan-out of which runs are started, or asked for, as the record has it. */
  listHanded(call: string, path: string): readonly number[];
  /** The digest of content in the log; undefined where there is none. */
  digestOf(value: JsonValue): ContentDigest | undefined;
  /** Makes durable what was recorded. */
  flush(): Promise<void>;
  /**
   * True when only events that close something may still be recorded: by what the log has, and
   * never for what it has already. `about` is a child of the call, or a path of its flow.
   */
  isFull(call: string, about?: string): boolean;
  /** True when the call may start nothing more. */
  isCancelled(call: string): boolean;
}

export interface RecorderOptions {
  readonly clock: Clock;
  readonly sink: EventSink | undefined;
  readonly signal: AbortSignal | undefined;
}

export function createRecorder({ clock, sink, signal }: RecorderOptions): Recorder {
  const events: CallEvent[] = [];
  let lastMs = Number.NEGATIVE_INFINITY;
  let lastAt = "";
  const recorder: Recorder = {
    listEvents: () => events,
    lastMs: () => lastMs,
    idleMs: () => 0,
    // All forks have one time here.
    beganMs: () => lastMs,
    // Nothing pauses here, so that nothing is done out of order.
    fork: (branch) => (branch.stop === undefined ? recorder : stopWith(recorder, branch)),
    join: () => {},
    follow: () => {},
    hasBegun: () => false,
    isEarly: () => false,
    hasBegunItem: () => false,
    listClosed: () => [],
    listHanded: () => [],
    digestOf: () => undefined,
    flush: async () => {},
    isFull: () => events.length >= TRACE_EVENTS_MAX,
    isCancelled: () => signal?.aborted ?? false,
    record: (make) => {
      const nowMs = clock.now();
      if (nowMs > lastMs) {
        lastMs = nowMs;
        lastAt = formatInstant(nowMs);
      }
      const event = { ...make(lastMs), at: lastAt } as CallEvent;
      events.push(event);
      if (sink !== undefined) tell(sink, deepFreeze(event));
      return lastMs;
    },
  };
  return recorder;
}

/** The same, for what may be told to stop. */
function stopWith(recorder: Recorder, branch: Branch): Recorder {
  return {
    ...recorder,
    isCancelled: (call) => branch.isStopped() || recorder.isCancelled(call),
    record: (make) => {
      if (branch.isStopped()) throw new StoppedError();
      return recorder.record(make);
    },
  };
}

function tell(sink: EventSink, event: CallEvent): void {
  try {
    Promise.resolve(sink(event)).catch(() => {});
  } catch {
    // A sink that throws has no say in the call.
  }
}
