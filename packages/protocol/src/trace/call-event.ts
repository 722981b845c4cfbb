/**
 * The kernel's events of a call.
 *
 * 1. A call event is the part of a native event that does not depend on where it is stored. A log
 *    adds the rest: id, run, sequence, epoch, actor, turn, previous, hash (spec/events.md).
 * 2. `content` holds facts and never content: no input, no output, no free text. Content stands in
 *    `attached`, which a log stores apart, as blobs under a keyed digest.
 * 3. Numbers are safe integers: milliseconds, tokens, counts.
 */
import type { JsonValue } from "../canonical-json.ts";
import type { ModelFacts, ToolFacts } from "../events/action-claim.ts";
import type { ModelAnswerFacts, SettledStatus, ToolAnswerFacts } from "../events/action-end.ts";
import type { CallFailure, CallStart, CallTime, ChildEnd, ChildStart } from "../events/call.ts";
import type { LogEventType, VendorEventType } from "../events/event-types.ts";
import type {
  FanoutFixed as FanoutFact,
  GroupClosed as GroupFact,
  ItemClosed as ItemFact,
  StepRetried as RetryFact,
  StepSkipped as SkipFact,
} from "../events/flow.ts";
import type { LogLine } from "../events/log.ts";

interface CallEventOf<Type extends LogEventType | VendorEventType, Content> {
  readonly type: Type;
  /** ISO 8601 in UTC with milliseconds. Never earlier than the event before it in the same call. */
  readonly at: string;
  readonly call: string;
  readonly parentCall?: string;
  readonly content: Content;
  readonly attached?: Readonly<Record<string, JsonValue>>;
}

export type ModelClaim = ModelFacts & { readonly deadlineAt: string };

/** The claim of a tool. Handoffs and questions appear as tools, too, with the name alone. */
export type ToolClaim = Pick<ToolFacts, "action" | "tool"> &
  Partial<ToolFacts> & { readonly deadlineAt?: string };

export type ActionClaim = ModelClaim | ToolClaim;

interface ActEnd {
  readonly status: SettledStatus;
  readonly durationMs: number;
  /** The class of a model's failure, where it has one. */
  readonly failure?: string;
  /** How long the provider asks to be left alone, where it says so. */
  readonly retryAfterMs?: number;
}

export type ActionSettlement = (ModelAnswerFacts | ToolAnswerFacts) & ActEnd;

export type CallStarted = CallEventOf<"call.started", CallStart>;
export type InputValidated = CallEventOf<"call.input.validated", CallTime>;
export type OutputValidated = CallEventOf<"call.output.validated", CallTime>;
export type CallCompleted = CallEventOf<"call.completed", CallTime>;
export type CallErrored = CallEventOf<"call.errored", CallFailure>;
export type ChildStarted = CallEventOf<"child.started", ChildStart>;
export type ChildCompleted = CallEventOf<"child.completed", ChildEnd>;
export type FanoutFixed = CallEventOf<"fanout.fixed", FanoutFact>;
export type ItemClosed = CallEventOf<"item.closed", ItemFact>;
export type StepRetried = CallEventOf<"step.retried", RetryFact>;
export type StepSkipped = CallEventOf<"step.skipped", SkipFact>;
export type GroupClosed = CallEventOf<"group.closed", GroupFact>;
export type ActionClaimed = CallEventOf<"action.claimed", ActionClaim>;
export type ActionSettled = CallEventOf<"action.settled", ActionSettlement>;
export type LogWritten = CallEventOf<"log", Pick<LogLine, "level">>;
export type VendorEvent = CallEventOf<VendorEventType, Readonly<Record<string, JsonValue>>>;

export type CoreCallEvent =
  | CallStarted
  | InputValidated
  | OutputValidated
  | CallCompleted
  | CallErrored
  | ChildStarted
  | ChildCompleted
  | FanoutFixed
  | ItemClosed
  | StepRetried
  | StepSkipped
  | GroupClosed
  | ActionClaimed
  | ActionSettled
  | LogWritten;

/** Everything that can happen inside a call. */
export type CallEvent = CoreCallEvent | VendorEvent;
