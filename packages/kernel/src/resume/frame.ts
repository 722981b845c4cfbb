/** One call in progress: its identity, its deadline, and its recording. */
import { type CacheSpec, type Grant, invariant } from "@turnseal/protocol";
import type { CallEvent } from "@turnseal/protocol/trace";
import type { Hold } from "../hold.ts";
import type { Scope } from "../values/scope.ts";
import type { Branch } from "./branch.ts";
import { type ItemPlace, pathOfItem } from "./item-place.ts";
import type { Recorder, TurnLog } from "./recorder.ts";

export interface Frame {
  readonly call: string;
  readonly parentCall: string | undefined;
  /**
   * The place of the call in the structure of its root call; ids of what it starts derive from it.
   */
  readonly path: string;
  /** Its place in the definition, without turn and round. */
  readonly place: string;
  /** The thread of the prompt whose model asked for it; null where none has. */
  readonly asker: string | null;
  /** Whose notes it reads and writes. */
  readonly scope: Scope;
  readonly depth: number;
  /** The called loop, after those that call it. */
  readonly loops: readonly string[];
  /** When it has to have ended. In an item it may be later before the first event than after. */
  readonly deadlineAt: number;
  /** The grant of the call; undefined outside a run, where there are no grants. */
  readonly grant: Grant | undefined;
  /** The branch of the call, where several run beside each other. */
  readonly branch: Branch;
  /** Where it is a member of a group. */
  readonly hold?: Hold | undefined;
  /** The cache that the node of the call names. */
  readonly cache?: CacheSpec | undefined;
  /** The item that it acts for, where each item of a fan-out is a run of its own. */
  readonly item?: ItemPlace;
  /** Records an event and answers with its time. */
  record(happening: FrameHappening): number;
  /**
   * Records an event that says how long something took, which began with the event at `sinceMs`.
   */
  recordSince(sinceMs: number, make: (durationMs: number) => FrameHappening): number;
  /** The time of the latest event, less the time in which nobody worked on it. */
  lastMs(): number;
  /** The time of the latest event on the wall. */
  wallMs(): number;
  /**
   * True when the trace has no room for another event of a child, or at a path of its flow; or of
   * the call at all.
   */
  isTraceFull(about?: string): boolean;
  /** True when the record has something of a child that is not made again yet; or of anything. */
  hasBegun(child?: string): boolean;
  /**
   * Waits if the next event of the call, of a child or at a path of its flow would be new, until
   * everything recorded beside it was repeated.
   */
  catchUp(about?: string): Promise<void>;
  readonly recorder: Recorder;
  /** True when nothing more may be started. */
  isCancelled(): boolean;
}

/** The fields that open a frame; the rest comes from the recorder. */
type FramePlace = Pick<
  Frame,
  | "call"
  | "parentCall"
  | "path"
  | "place"
  | "asker"
  | "scope"
  | "depth"
  | "loops"
  | "deadlineAt"
  | "branch"
  | "grant"
  | "hold"
  | "cache"
>;

type WithoutFrame<Event> = Event extends CallEvent
  ? Omit<Event, "at" | "call" | "parentCall">
  : never;

/** An event of this call, before the frame says whose it is. */
export type FrameHappening = WithoutFrame<CallEvent>;

/** The same call where it runs one of several: with a time of its own. */
export function forkFrame(frame: Frame, branch: Branch, item?: ItemPlace): Frame {
  const own = item === undefined ? undefined : { ...item, call: frame.call };
  return openFrame({ ...frame, branch }, frame.recorder.fork(branch, own));
}

/** Time of the call goes on from an event that the journal wrote to the log of its turn. */
export function follow({ recorder }: Frame, event: Parameters<TurnLog["follow"]>[0]): void {
  invariant(recorder.log !== undefined, "only a call of a run follows events of a log");
  recorder.log.follow(event);
}

/** Below which path of its flow its actions are recorded; undefined where it is the call's own. */
export function recordedAt({ item }: Frame): string | undefined {
  return item === undefined ? undefined : pathOfItem(item);
}

export function openFrame(place: FramePlace, recorder: Recorder): Frame {
  const { call, parentCall } = place;
  const { log } = recorder;
  const owner = parentCall === undefined ? { call } : { call, parentCall };
  return {
    ...place,
    recorder,
    record: (happening) => recorder.record(() => ({ ...happening, ...owner })),
    recordSince: (sinceMs, make) =>
      recorder.record((nowMs) => ({ ...make(nowMs - sinceMs), ...owner })),
    lastMs: recorder.lastMs,
    wallMs: () => recorder.lastMs() + (log?.idleMs() ?? 0),
    isTraceFull: (about) => recorder.isFull(call, about),
    hasBegun: (child) => log?.hasBegun(child) ?? false,
    catchUp: async (about) => {
      if (log?.isEarly(call, about) === true) await place.branch.hold();
    },
    // A group that was committed is carried to its end.
    isCancelled: () => place.hold?.isReleased() !== true && recorder.isCancelled(call),
  };
}
