/** The content of each event of a session, by its type (spec/session.md). */
import type { JsonValue } from "../canonical-json.ts";
import type { FileRef } from "../files/file-ref.ts";

/** A person wrote to the agent. */
export interface UserMessageContent {
  readonly text: string;
  /** The files that came with it. */
  readonly files?: readonly FileRef[];
}
/** The agent answered: the words of one part of an answer of the model. */
export interface AssistantMessageContent {
  readonly text: string;
  /** The files that the model made: beside its last words. */
  readonly files?: readonly FileRef[];
  /** The sources of the whole answer, from the provider: beside its last words. */
  readonly sources?: readonly AnswerSource[];
  /**
   * The entries that a new summary replaces, from which the model spoke: beside its first words.
   */
  readonly summarized?: SummarizedEntries;
}
/** Entries of a thread: from one number up to another, which is not among them. */
export interface SummarizedEntries {
  readonly from: number;
  readonly to: number;
}
/** Something that an answer rests on: an address, or a document. A provider's word, not ours. */
export interface AnswerSource {
  readonly id: string;
  readonly url?: string;
  readonly title?: string;
  readonly mediaType?: string;
  readonly filename?: string;
}
/** Another agent spoke. */
export interface OtherAgentMessageContent {
  readonly text: string;
  readonly sources?: readonly AnswerSource[];
}
/** The model's thoughts before its answer. */
export interface ReasoningContent {
  readonly text: string;
  readonly durationMs?: number;
}

/** Where a call stands that a person must allow. */
export const APPROVAL_STATUSES = ["pending_approval", "approved", "rejected"] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** The model asks for a tool. A later one of the same call replaces an earlier one. */
export interface ToolCallContent {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: JsonValue;
  readonly readOnly?: boolean;
  readonly approvalStatus?: ApprovalStatus;
  readonly approvalDescription?: string;
}
/** The result of the tool, and the text that it showed on its way. */
export interface ToolResultContent {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly result: JsonValue;
  readonly output?: string;
}
/** The tool failed, was refused, or does not exist. */
export interface ToolErrorContent {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly error: string;
  /** True if a person rejected it. */
  readonly isUserRejection?: boolean;
}

/** Something outside started a generation: a schedule, or a message of another program. */
export interface TriggerContent {
  readonly triggerName: string;
  readonly payload?: JsonValue;
}
/** A run was started for another one. */
export interface LoopTriggeredContent {
  readonly triggeredBy: string;
  readonly parentGenerationId?: string;
  readonly instructions?: string;
}
/** A run that was started for this one has ended. */
export interface ChildGenerationContent {
  readonly item: JsonValue;
  readonly index: number;
  readonly total: number;
  readonly durationMs: number;
  readonly parentGenerationId: string;
  readonly childGenerationId: string;
  /** Its end, and its words. */
  readonly outcome?: string;
  readonly result?: JsonValue;
}
/** A person stopped a generation. */
export interface UserAbortContent {
  readonly generationId: string;
}
/** A generation failed before it was complete. */
export interface GenerationFailureContent {
  readonly error: string;
}

export interface EventContents {
  readonly "user-message": UserMessageContent;
  readonly "assistant-message": AssistantMessageContent;
  readonly "tool-call": ToolCallContent;
  readonly "tool-result": ToolResultContent;
  readonly "tool-error": ToolErrorContent;
  readonly trigger: TriggerContent;
  readonly "loop-triggered": LoopTriggeredContent;
  readonly "other-agent-message": OtherAgentMessageContent;
  readonly "user-abort": UserAbortContent;
  readonly "child-generation": ChildGenerationContent;
  readonly "generation-failure": GenerationFailureContent;
  readonly reasoning: ReasoningContent;
}
