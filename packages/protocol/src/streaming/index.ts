export type { LiveDelta, LiveMessage } from "./live-delta.ts";
export type {
  AssistantMessageDeltaInfo,
  AssistantMessageInfo,
  ReasoningDeltaInfo,
  ReasoningStartInfo,
  StreamHandlers,
  StreamResult,
  ToolApprovalRequiredInfo,
  ToolCallInfo,
  ToolErrorInfo,
  ToolNotFoundInfo,
  ToolOutputDeltaInfo,
  ToolResultInfo,
} from "./stream-handlers.ts";
