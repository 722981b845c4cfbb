/**
 * Callbacks for the events of a run as they happen: ten, each awaited before the next, in the order
 * of the session.
 *
 * Pieces of a text, joined, are the text that the session has in the end. They are never stored.
 */
import type { JsonValue } from "../canonical-json.ts";

interface InGeneration {
  /** The turn, `<run>/<turn>`. */
  readonly generationId: string;
}
interface OfMessage extends InGeneration {
  /** The message that is being written, as its envelope names it. */
  readonly message: string;
}
interface OfToolCall extends InGeneration {
  readonly toolCallId: string;
  readonly toolName: string;
}

/** The agent begins to answer. */
export type AssistantMessageInfo = OfMessage;
export interface AssistantMessageDeltaInfo extends OfMessage {
  readonly delta: string;
}
/** The model begins to think. */
export type ReasoningStartInfo = OfMessage;
export interface ReasoningDeltaInfo extends OfMessage {
  readonly delta: string;
}
export interface ToolCallInfo extends OfToolCall {
  readonly args: JsonValue;
  readonly readOnly?: boolean;
}
export interface ToolResultInfo extends OfToolCall {
  readonly result: JsonValue;
  readonly output?: string;
}
/** The model named a tool that it was not offered. */
export interface ToolNotFoundInfo extends OfToolCall {
  readonly error: string;
}
export interface ToolErrorInfo extends OfToolCall {
  readonly error: string;
  readonly isUserRejection?: boolean;
}
export interface ToolOutputDeltaInfo extends OfToolCall {
  readonly delta: string;
}
/** The call waits for a person. */
export interface ToolApprovalRequiredInfo extends OfToolCall {
  readonly args: JsonValue;
  readonly approvalDescription: string;
}

export interface StreamHandlers {
  onAssistantMessage(info: AssistantMessageInfo): Promise<void>;
  onAssistantMessageDelta(info: AssistantMessageDeltaInfo): Promise<void>;
  onReasoningStart(info: ReasoningStartInfo): Promise<void>;
  onReasoningDelta(info: ReasoningDeltaInfo): Promise<void>;
  onToolCall(info: ToolCallInfo): Promise<void>;
  onToolResult(info: ToolResultInfo): Promise<void>;
  onToolNotFound(info: ToolNotFoundInfo): Promise<void>;
  onToolError(info: ToolErrorInfo): Promise<void>;
  onToolOutputDelta(info: ToolOutputDeltaInfo): Promise<void>;
  onToolApprovalRequired(info: ToolApprovalRequiredInfo): Promise<void>;
}

/** Where a session stood when there was nothing more to tell. */
export interface StreamResult {
  /** Whether more can come: the run is over, or it waits, or the listener was stopped. */
  readonly status: "done" | "waiting" | "stopped";
  /** The last envelope that was reported; a reader may continue after it. */
  readonly lastEventId?: string;
}
