/**
 * Everything that can happen in a run (spec/events.md).
 *
 * 1. An event is one fact, recorded once. `type` determines the form of `content`: a check of the
 *    one also types the other.
 * 2. The list is closed. Each fold of the log switches over `type` and ends in `unreachable`. So a
 *    new type does not compile until each fold handles it.
 * 3. An event holds no content, only `BlobRef`s to it.
 * 4. These types are for logs that this runtime wrote. A foreign event is a `RawEvent` until
 *    `parseEvent` has read it, and a verifier keeps it as one.
 */
import type { ActionClaimed } from "./action-claim.ts";
import type { ActionResolved, ActionSettled, ActionUnknown } from "./action-end.ts";
import type { ArtifactAdopted, DriftReconciled } from "./artifact.ts";
import type { CacheHit } from "./cache.ts";
import type { CallFailure, CallStart, CallTime, ChildEnd, ChildStart } from "./call.ts";
import type { Envelope, OfCall, OfRun, OfTurn } from "./envelope.ts";
import { isLogEventType, type LogEventType, type VendorEventType } from "./event-types.ts";
import type { FanoutFixed, GroupClosed, ItemClosed, StepRetried, StepSkipped } from "./flow.ts";
import type { LogLine } from "./log.ts";
import type { NoteAdded, NoteExpired } from "./note.ts";
import type {
  ApprovalDecided,
  ApprovalExpired,
  ApprovalRequested,
  QuestionAnswered,
  QuestionAsked,
} from "./people.ts";
import type { PlanClosed, PlanDecided, PlanProposed } from "./plan.ts";
import type { RunBlocked, RunDecided, RunResolved, RunStarted, RunStopped } from "./run.ts";
import type { SignalReceived } from "./signal.ts";
import type { TurnClosed, TurnDenied, TurnResumed, TurnStarted, TurnWaiting } from "./turn.ts";
import type { VendorContent } from "./vendor.ts";

/** The content of each native event. */
export interface EventContents {
  "run.started": RunStarted;
  "run.decided": RunDecided;
  "run.blocked": RunBlocked;
  "run.stopped": RunStopped;
  "run.resolved": RunResolved;
  "signal.received": SignalReceived;
  "turn.started": TurnStarted;
  "turn.denied": TurnDenied;
  "turn.resumed": TurnResumed;
  "turn.waiting": TurnWaiting;
  "turn.closed": TurnClosed;
  "call.started": CallStart;
  "call.input.validated": CallTime;
  "call.output.validated": CallTime;
  "call.completed": CallTime;
  "call.errored": CallFailure;
  "child.started": ChildStart;
  "child.completed": ChildEnd;
  "fanout.fixed": FanoutFixed;
  "item.closed": ItemClosed;
  "step.retried": StepRetried;
  "step.skipped": StepSkipped;
  "group.closed": GroupClosed;
  "action.claimed": ActionClaimed;
  "action.settled": ActionSettled;
  "action.unknown": ActionUnknown;
  "action.resolved": ActionResolved;
  "cache.hit": CacheHit;
  "approval.requested": ApprovalRequested;
  "approval.decided": ApprovalDecided;
  "approval.expired": ApprovalExpired;
  "question.asked": QuestionAsked;
  "question.answered": QuestionAnswered;
  "plan.proposed": PlanProposed;
  "plan.decided": PlanDecided;
  "plan.closed": PlanClosed;
  "note.added": NoteAdded;
  "note.expired": NoteExpired;
  "drift.reconciled": DriftReconciled;
  "artifact.adopted": ArtifactAdopted;
  log: LogLine;
}

/** Where an event belongs: to the run, to a turn, or to a call. */
export type PlaceOf<Type extends LoopEventType> = Type extends
  | `run.${string}`
  | `signal.${string}`
  | `drift.${string}`
  | `artifact.${string}`
  ? OfRun
  : Type extends `turn.${string}`
    ? OfTurn
    : OfCall;

export type LoopEventType = LogEventType | VendorEventType;

export type ContentOf<Type extends LoopEventType> = Type extends keyof EventContents
  ? EventContents[Type]
  : VendorContent;

/** The event of one type; of several, one of those. */
export type EventOf<Type extends LoopEventType> = Type extends LoopEventType
  ? Envelope & PlaceOf<Type> & { readonly type: Type; readonly content: ContentOf<Type> }
  : never;

export type NativeEvent = EventOf<LogEventType>;
export type VendorEvent = EventOf<VendorEventType>;

/** One fact of one run, as the log keeps it. */
export type LoopEvent = NativeEvent | VendorEvent;

/** True for an event that a tool recorded under a name of its own. */
export function isVendorEvent(event: LoopEvent): event is VendorEvent {
  return !isLogEventType(event.type);
}
