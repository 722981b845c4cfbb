export type { FileRef } from "@turnseal/protocol/files";
export {
  type Answer,
  createSessionClient,
  type Decision,
  type SessionClient,
  type SessionClientOptions,
  type SessionView,
  type UnknownResolution,
} from "./create-session-client.ts";
export { applyDelta } from "./session/apply-delta.ts";
export { applyEnvelope } from "./session/apply-envelope.ts";
export { applyStatus } from "./session/apply-status.ts";
export { listItems } from "./session/list-items.ts";
export {
  type AbortItem,
  type AgentItem,
  type AssistantItem,
  type ChildItem,
  type Delta,
  emptySession,
  type FailureItem,
  type FlowPart,
  type OpenRequest,
  PARTIAL_LENGTH_MAX,
  PARTIALS_MAX,
  type PartialMessage,
  type ReasoningItem,
  type RunStatus,
  SESSION_EVENTS_MAX,
  type SessionItem,
  type SessionState,
  type ToolItem,
  type ToolStatus,
  type TriggerItem,
  type UserItem,
} from "./session/session-state.ts";
export { BACKOFF_MS_DEFAULT, BACKOFF_MS_MAX, type Backoff } from "./wire/backoff.ts";
export { FRAME_LENGTH_MAX, type Frame, parseFrame, REQUESTS_MAX } from "./wire/parse-frame.ts";
export { COMMAND_ATTEMPTS_MAX, COMMAND_MS_MAX, type CommandAnswer } from "./wire/post-command.ts";
export { SILENCE_MS_DEFAULT } from "./wire/read-stream.ts";
export type { ServerAddress } from "./wire/server-address.ts";
export type { ServerRefusal } from "./wire/server-refusal.ts";
export {
  type DownloadAnswer,
  FILE_MS_MAX,
  type FileToUpload,
  type UploadAnswer,
} from "./wire/transfer-file.ts";
export type { Connection } from "./wire/watch-stream.ts";
