/**
 * The state of a session at a client, as plain data.
 *
 * 1. Two clients with the same envelopes hold the same items, in any order and number of
 *    deliveries.
 * 2. A message in the log replaces its pieces from while it was written.
 */
import type {
  AnswerSource,
  EventEnvelope,
  EventEnvelopeOf,
  SummarizedEntries,
} from "@turnseal/protocol/events";
import type { FileRef } from "@turnseal/protocol/files";

/** Envelopes that a client keeps; of more, the oldest are forgotten. */
export const SESSION_EVENTS_MAX = 10_000;
/** Messages that can be in the making at one time. */
export const PARTIALS_MAX = 256;
/** Characters of one message in the making; the rest shows when the message is stored. */
export const PARTIAL_LENGTH_MAX = 1_000_000;

export type ToolStatus = "pending_approval" | "running" | "done" | "failed" | "rejected";

interface Placed {
  /** The same while a message is written and when it is stored: a key for lists. */
  readonly id: string;
  readonly generationId?: string;
  readonly createdAt?: string;
  /** The store has erased the content. */
  readonly isErased?: true;
}

interface Written extends Placed {
  readonly text: string;
  readonly isPartial: boolean;
}

export interface UserItem extends Placed {
  readonly kind: "user";
  readonly text: string;
  /** The files that came with it: hostile bytes, to be shown as images or named, never opened. */
  readonly files?: readonly FileRef[];
}

export interface AssistantItem extends Written {
  readonly kind: "assistant";
  /** The files that the model made. */
  readonly files?: readonly FileRef[];
  /** The sources of the answer, in the provider's words: shown, never opened unasked. */
  readonly sources?: readonly AnswerSource[];
  /** Earlier entries that the model has only a summary of, from these words on. */
  readonly summarized?: SummarizedEntries;
}

export interface ReasoningItem extends Written {
  readonly kind: "reasoning";
  readonly durationMs?: number;
}

/** A tool from the request to its one end. */
export interface ToolItem extends Placed {
  readonly kind: "tool";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly status: ToolStatus;
  readonly args?: unknown;
  readonly readOnly?: boolean;
  /** The question to a person, if there is one. */
  readonly description?: string;
  /** The output of the tool so far, or all of it. */
  readonly output?: string;
  readonly result?: unknown;
  readonly error?: string;
  /** The name under which its output arrives. */
  readonly message?: string;
}

export interface TriggerItem extends Placed {
  readonly kind: "trigger";
  readonly name: string;
  readonly payload?: unknown;
}

export interface AgentItem extends Placed {
  readonly kind: "agent";
  readonly text: string;
}

/** Another generation that this one has started, or that has ended. */
export interface ChildItem extends Placed {
  readonly kind: "child";
  readonly content: EventEnvelopeOf<"loop-triggered" | "child-generation">["content"];
}

export interface AbortItem extends Placed {
  readonly kind: "abort";
}

export interface FailureItem extends Placed {
  readonly kind: "failure";
  readonly error: string;
}

export type SessionItem =
  | UserItem
  | AssistantItem
  | ReasoningItem
  | ToolItem
  | TriggerItem
  | AgentItem
  | ChildItem
  | AbortItem
  | FailureItem;

/** A piece of a message that is being written. */
export interface Delta {
  readonly generationId: string;
  readonly message: string;
  readonly kind: "text" | "reasoning" | "tool-output";
  /** The attempt: a new attempt begins its text again. */
  readonly epoch: number;
  /** How many characters came before this piece. */
  readonly offset: number;
  readonly text: string;
}

/** A message in the making: its pieces so far, without a gap. */
export type PartialMessage = Omit<Delta, "offset">;

/** Something that waits for a person. */
export interface OpenRequest {
  /** `unknown`: the action may have happened; `answers` lists the possible resolutions. */
  readonly kind: "approval" | "question" | "unknown";
  readonly id: string;
  /** The tool that would act; of a question, whom it is for. */
  readonly name: string;
  readonly generationId: string;
  /** The action that waits: the `message` of the tool's item. */
  readonly message: string;
  /** The arguments, or the question. */
  readonly request?: unknown;
  readonly [field: string]: unknown;
}

/** An item of a fan-out, or another node of a flow. */
export interface FlowPart {
  readonly path: string;
  readonly index?: number;
  readonly label?: string;
  readonly status: "ok" | "error" | "withdrawn" | "open";
  readonly code?: string;
  /** The words of the tool or the provider that failed: foreign text. */
  readonly reason?: string;
}

export interface RunStatus {
  readonly status: "running" | "waiting" | "done";
  /** Why the run has stopped. */
  readonly stopped?: string;
  readonly requests: readonly OpenRequest[];
  /** Of a run that has stopped without its goal: the ends of the parts of its flow. */
  readonly parts?: readonly FlowPart[];
  /** The position of the log: an older status is ignored. */
  readonly sequence?: number;
}

export interface SessionState {
  readonly run: string;
  /** In the order of the log. */
  readonly events: readonly EventEnvelope[];
  /** The fold of the events. */
  readonly items: readonly SessionItem[];
  readonly partials: readonly PartialMessage[];
  /** The newest attempt of which a piece arrived. */
  readonly epoch: number;
  /** Absent until the server has told it. */
  readonly status?: RunStatus;
}

export function emptySession(run: string): SessionState {
  return { run, events: [], items: [], partials: [], epoch: 0 };
}
