/**
 * What the kernel says happened inside a call.
 *
 * 1. A call event is the part of a native event that does not depend on where it is stored. A log
 *    adds the rest: id, run, sequence, epoch, actor, turn, previous, hash (spec/events.md).
 * 2. `content` holds facts and never content: no input, no output, no free text. What is content
 *    stands in `attached`, which a log stores apart, as blobs under a keyed digest.
 * 3. Numbers are safe integers: milliseconds, tokens, counts.
 */
import type { CallError } from "../call-error.ts";
import type { JsonValue } from "../canonical-json.ts";
import type { Digest } from "../digest.ts";
import type { LogEventType, VendorEventType } from "../events/event-types.ts";
import type { Proof } from "../grant/compare-grants.ts";
import type { Grant } from "../grant/grant.ts";

interface CallEventOf<Type extends LogEventType | VendorEventType, Content> {
  readonly type: Type;
  /** ISO 8601 in UTC with milliseconds. Never earlier than the event before it in the same call. */
  readonly at: string;
  readonly call: string;
  readonly parentCall?: string;
  readonly content: Content;
  readonly attached?: Readonly<Record<string, JsonValue>>;
}

export type CallStatus = "ok" | "error";
export type LogLevel = "debug" | "info" | "warn" | "error";
export const LOG_LEVELS: readonly LogLevel[] = ["debug", "info", "warn", "error"];

export interface ModelClaim {
  readonly action: "model";
  readonly backend: string;
  readonly model: string;
  /** UTF-16 units of the rendered prompt without the system prompt. */
  readonly promptLength: number;
  /** Tokens of the request by estimate, where they are limited. */
  readonly contextTokens?: number;
  /** Which of the routes of the prompt this is, and why it was chosen. */
  readonly route?: RouteChoice;
  readonly limit?: LimitPassage;
  /** True when filters look at the output before anybody else does. */
  readonly filtered?: true;
  readonly deadlineAt: string;
}
/** How a request got its lease, where it is limited together with others. */
export interface LimitPassage {
  readonly name: string;
  readonly answer: "taken" | "away";
  /** From when it was ready until it was claimed. */
  readonly waitedMs: number;
}
export interface RouteChoice {
  readonly index: number;
  readonly reason: "first" | "condition" | `fallback:${string}`;
}
export interface ToolClaim {
  readonly action: "tool";
  readonly tool: string;
  /** A name for the tool's code. */
  readonly build?: string;
  /** The entry of the grant under which it is executed. */
  readonly term?: string;
  readonly deadlineAt: string;
}
export type ActionClaim = ModelClaim | ToolClaim;

/** Why a tool that a model asked for is not called. */
export const TOOL_ASK_ERRORS = ["TOOL_UNKNOWN", "ARGUMENTS_NOT_JSON", "CALL_ID_REPEATED"] as const;

export interface ToolAskError {
  readonly part: number;
  readonly error: (typeof TOOL_ASK_ERRORS)[number];
}

export type ActionSettlement =
  | {
      readonly action: "model";
      readonly status: "ok";
      readonly durationMs: number;
      /** Left out where the provider did not say. */
      readonly inputTokens?: number;
      readonly outputTokens?: number;
      /** Why the counts are not believed: then what was reserved counts. */
      readonly usage?: "missing" | "zero";
      readonly finishReason?: string;
      /** The name that the provider says answered. */
      readonly answeredBy?: string;
      /** True when that is not the model that was asked. */
      readonly drift?: true;
      /** Tools that the answer asks for in vain, by the place of the part in its content. */
      readonly toolErrors?: readonly ToolAskError[];
    }
  | {
      readonly action: "tool";
      readonly status: "ok";
      readonly durationMs: number;
      /** Why its output cannot be kept. */
      readonly refused?: string;
    }
  | {
      readonly action: "model" | "tool";
      readonly status: "failed" | "timed-out" | "cancelled";
      readonly durationMs: number;
      /** The class of a model's failure, where it has one. */
      readonly failure?: string;
      /** How long the provider asks to be left alone, where it says so. */
      readonly retryAfterMs?: number;
    };

export type CallStarted = CallEventOf<
  "call.started",
  {
    readonly loop: string;
    readonly version: string;
    readonly digest?: Digest;
    /** What the call may do, where that is less than its caller may, and the proof. */
    readonly grant?: Grant;
    readonly proof?: Proof;
  }
>;
export type InputValidated = CallEventOf<"call.input.validated", { readonly durationMs: number }>;
export type OutputValidated = CallEventOf<"call.output.validated", { readonly durationMs: number }>;
export type CallCompleted = CallEventOf<"call.completed", { readonly durationMs: number }>;
export type CallErrored = CallEventOf<"call.errored", CallError>;
export type ChildStarted = CallEventOf<
  "child.started",
  {
    readonly child: string;
    readonly loop: string;
    readonly step: number;
    /** For a filter: what of the prompt it looks at. */
    readonly filter?: "input" | "output";
  }
>;
export type ChildCompleted = CallEventOf<
  "child.completed",
  { readonly child: string; readonly status: CallStatus }
>;
export type ActionClaimed = CallEventOf<"action.claimed", ActionClaim>;
export type ActionSettled = CallEventOf<"action.settled", ActionSettlement>;
export type LogWritten = CallEventOf<"log", { readonly level: LogLevel }>;
export type VendorEvent = CallEventOf<VendorEventType, Readonly<Record<string, never>>>;

export type CoreCallEvent =
  | CallStarted
  | InputValidated
  | OutputValidated
  | CallCompleted
  | CallErrored
  | ChildStarted
  | ChildCompleted
  | ActionClaimed
  | ActionSettled
  | LogWritten;

/** Everything that can happen inside a call. */
export type CallEvent = CoreCallEvent | VendorEvent;
