export {
  type AnswerSource,
  APPROVAL_STATUSES,
  type ApprovalStatus,
  type AssistantMessageContent,
  type ChildGenerationContent,
  type EventContents,
  type GenerationFailureContent,
  type LoopTriggeredContent,
  type OtherAgentMessageContent,
  type ReasoningContent,
  type SummarizedEntries,
  type ToolCallContent,
  type ToolErrorContent,
  type ToolResultContent,
  type TriggerContent,
  type UserAbortContent,
  type UserMessageContent,
} from "./event-content.ts";
export {
  type EnvelopePlace,
  type EventEnvelope,
  type EventEnvelopeOf,
  formatEnvelopeId,
  formatGenerationId,
  parseEnvelopeId,
  parseGenerationId,
} from "./event-envelope.ts";
export { EVENT_TYPES, type EventType } from "./event-types.ts";
export {
  ANSWER_SOURCES_MAX,
  ENVELOPE_BYTES_MAX,
  ENVELOPE_NAME_LENGTH_MAX,
  type ParsedContent,
  type ParsedEnvelope,
  parseEnvelope,
  parseEventContent,
} from "./parse-envelope.ts";
