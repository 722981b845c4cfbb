export { type Caller, isOperator, OPERATOR_ROLE } from "./caller.ts";
export { type Chat, chatKey, findChat } from "./chat/find-chat.ts";
export { runKey } from "./chat/hidden-key.ts";
export { type ChatMessage, readChatMessage } from "./chat/read-chat-message.ts";
export { readTranscript } from "./chat/read-transcript.ts";
export { findFirstTry } from "./chat/retries.ts";
export { currentTurn, findUnderWay, takeDecisions, takeWords } from "./chat/take-chat.ts";
export { type ChatToTell, watchChat } from "./chat/watch-chat.ts";
export { DONE, renderChunk, UI_STREAM_HEADERS } from "./chunks/ui-chunk.ts";
export { LIST_LOOKS_MAX, MESSAGE_LENGTH_MAX, REASON_LENGTH_MAX } from "./limits.ts";
export {
  type Refusal,
  type RefusalWords,
  refuse,
  SESSION_ERROR_CODES,
  type SessionErrorCode,
} from "./refusal.ts";
export { describeRun, type RunRow } from "./runs/describe-run.ts";
export { type RunScan, type ScannedPage, scanRuns } from "./runs/scan-runs.ts";
export {
  abortGeneration,
  answerQuestion,
  cancelRun,
  decideApproval,
  resolveUnknown,
  retryProvider,
  revokeStanding,
  sendMessage,
  sendSignal,
  type Telling,
  type Word,
} from "./send/send-to-run.ts";
export {
  type Agent,
  type DrivingHost,
  type FindTenant,
  hasRun,
  type SessionHost,
} from "./session-host.ts";
export {
  type EventStream,
  type EventStreamOptions,
  openEventStream,
} from "./watch/event-stream.ts";
export { KEEP_ALIVE } from "./watch/frames.ts";
export { createTails, type OpenTails } from "./watch/open-tails.ts";
export { createPace } from "./watch/pace.ts";
export { openRunTail } from "./watch/run-tail.ts";
export {
  type RunSink,
  type RunWatch,
  type TailedStream,
  toSink,
  watchRun,
} from "./watch/watch-run.ts";
