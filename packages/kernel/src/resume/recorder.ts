/**
 * Records what happens in one root call and everything below it.
 *
 * 1. Times never go backwards, even if the clock does. Durations are differences between the times
 *    of events, so that they follow from the record alone.
 * 2. The trace is bounded. Events that close what is open always fit; others are refused once it is
 *    full.
 * 3. A sink is called and not waited for: it cannot change the call. Its events are frozen, since
 *    the trace consists of the same objects.
 */
import type { Clock, EventSink } from "@turnseal/ports";
import type { ContentDigest, JsonValue, LoopEvent } from "@turnseal/protocol";
import type { CallEvent } from "@turnseal/protocol/trace";
import { TRACE_EVENTS_MAX } from "../limits.ts";
import { deepFreeze } from "../values/deep-freeze.ts";
import { formatInstant } from "../values/format-instant.ts";
import type { Branch } from "./branch.ts";
import type { ClosedItem, ItemOfCall } from "./item-place.ts";
import { StoppedError } from "./stopped-error.ts";

type WithoutTime<Event> = Event extends CallEvent ? Omit<Event, "at"> : never;

/** An event before its time is known. */
export type Happening = WithoutTime<CallEvent>;

/** The recorder of any call. */
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
  /**
   * The same record, with a time of its own: for one of several parallel parts. A stopped fork
   * throws `StoppedError` for new events.
   */
  fork(branch: Branch, item?: ItemOfCall): Recorder;
  /**
   * True when only closing events may still be recorded: by the count of the log, and never for
   * events that it already has. `about` is a child of the call, or a path of its flow.
   */
  isFull(call: string, about?: string): boolean;
  /** True when the call may start nothing more. */
  isCancelled(call: string): boolean;
  /** The log of its turn; undefined outside a run. */
  readonly log: TurnLog | undefined;
}

/** The log of a turn, for its recorder. It may hold events of an earlier attempt. */
export interface TurnLog {
  /** The idle time so far. */
  idleMs(): number;
  /**
   * The time of the first event of a record, or of a fork; undefined before it. A fork is made
   * where its time is that of what stands around it, and may say nothing for long after that.
   */
  beganMs(): number | undefined;
  /** Time goes on from the latest of these forks, in any order of their ends. */
  join(forks: readonly ForkTime[]): void;
  /**
   * Takes over the time of an event by the journal. A resume does not repeat events of a running
   * tool: time goes on from the end of the action, which is the same in both.
   */
  follow(event: Pick<LoopEvent, "at" | "sequence">): void;
  /** True when more of a call is recorded than was made again; of any call, without one. */
  hasBegun(call?: string): boolean;
  /**
   * True when the next event of a call, of a child or at a path of its flow, would come before
   * recorded ones.
   */
  isEarly(call: string, about?: string): boolean;
  /** True when something is recorded of an item that was not made again. */
  hasBegunItem(item: ItemOfCall): boolean;
  /** The items of a fan-out that the record says have ended, in the order in which they did. */
  listClosed(call: string, path: string): readonly ClosedItem[];
  /** The items of a fan-out whose runs are started or asked for, by the record. */
  listHanded(call: string, path: string): readonly number[];
  /** The digest of content in the log. */
  digestOf(value: JsonValue): ContentDigest;
  /** Makes durable what was recorded. */
  flush(): Promise<void>;
}

/** The times of a fork: with its idle time on the wall, and without. */
export interface ForkTime {
  lastMs(): number;
  wallMs(): number;
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
    log: undefined,
    listEvents: () => events,
    lastMs: () => lastMs,
    // Forks never pause here, so the order stays, and all have one time.
    fork: (branch) => (branch.stop === undefined ? recorder : stopWith(recorder, branch)),
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

/** The same, for a part that can be stopped. */
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
    // A throwing sink does not change the call.
  }
}
