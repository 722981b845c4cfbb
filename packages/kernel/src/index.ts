export { bindInspected } from "./actions/bind-inspected.ts";
export { bindModels, type ModelBindings } from "./actions/bind-models.ts";
export {
  bindLoops,
  bindTools,
  type FunctionClash,
  type LoopBinding,
  type ToolBindings,
} from "./actions/bind-tools.ts";
export { EVENT_ERROR_CODES, EventError, type EventErrorCode } from "./actions/tool-context.ts";
export { findLoopLack, findPinLack } from "./admission/find-loops.ts";
export {
  type CompiledCondition,
  type Condition,
  compileCondition,
} from "./bounded/condition/condition.ts";
export { type CompiledPattern, compilePattern } from "./bounded/pattern/compile-pattern.ts";
export { createValidator, type Validator } from "./bounded/schema/schema-validator.ts";
export type { CallIndexes, KeyedCalls } from "./cache/call-caches.ts";
export {
  type CallOptions,
  createExecutor,
  type Executor,
  type ExecutorOptions,
} from "./call/executor.ts";
export { estimateMessage } from "./context/estimate-tokens.ts";
export { filesOf } from "./context/message-files.ts";
export { builtInSummarizer } from "./definition/built-in-summarizer.ts";
export type { CheckedLoop, CheckedStep } from "./definition/check-loop.ts";
export {
  applyMapping,
  listReads,
  type ParsedSource,
  parseSource,
} from "./definition/checked-mapping.ts";
export { TRIES_DEFAULT } from "./definition/flow/check-retry.ts";
export type { CheckedNode } from "./definition/flow/checked-node.ts";
export { listNodeReferences, listNodes } from "./definition/flow/list-nodes.ts";
export { labelItem } from "./flow/nodes/fan-out/label-item.ts";
export {
  ARTIFACT_BYTES_MAX,
  ARTIFACT_CHANGES_MAX,
  CACHE_ANSWER_MS_MAX,
  CACHE_EPHEMERAL_MS_DEFAULT,
  CACHE_PERSISTENT_MS_DEFAULT,
  CACHED_BYTES_MAX,
  COMPOSITE_TIMEOUT_MS_DEFAULT,
  EMPTY_ANSWERS_MAX,
  GRACE_MS,
  INBOX_POLL_MS,
  INPUT_BYTES_MAX,
  LOG_WAIT_MS_MAX,
  NODE_TRIES_MAX,
  OUTPUT_BYTES_MAX,
  OUTPUT_PREVIEW_BYTES_MAX,
  OUTPUT_RANGE_BYTES_MAX,
  OUTPUT_TOKENS_DEFAULT,
  PROMPT_LENGTH_MAX,
  PROMPT_TIMEOUT_MS_DEFAULT,
  RETRIES_MAX,
  RETRY_DELAY_MS,
  ROUND_SIGNALS_MAX,
  SCHEMA_BYTES_MAX,
  SCOPES_MAX,
  TASK_NOTES_MAX,
  TEMPLATE_BYTES_MAX,
  TOKEN_RATIO_MAX,
  TOOL_OUTPUT_LENGTH_MAX,
  TOOL_TIMEOUT_MS_DEFAULT,
  TRACE_EVENTS_MAX,
  TRANSITIONS_DEFAULT,
  WAIT_MS_DEFAULT,
} from "./limits.ts";
export {
  type Appender,
  type AppenderOptions,
  createAppender,
  type EventDraft,
} from "./log/appender.ts";
export { type Content, createContent } from "./log/content.ts";
export { holdBlobs } from "./log/hold-blobs.ts";
export { LOG_ERROR_CODES, LogError, type LogErrorCode } from "./log/log-error.ts";
export {
  createRunArtifacts,
  openRoot,
  type RecordedChanges,
  type RootArtifacts,
  type RunArtifacts,
} from "./log/run-artifacts.ts";
export { createRunFiles, type RunFiles } from "./log/run-files.ts";
export {
  compilePolicy,
  findPolicy,
  type PolicyCompilation,
  readPolicy,
} from "./policy/compile-policy.ts";
export { type CompiledPolicy, UNREADABLE_POLICY } from "./policy/compiled-policy.ts";
export { decide } from "./policy/decide.ts";
export { findSigner } from "./receipt/find-signer.ts";
export { checkCacheEffects, checkCaches } from "./registry/check-caches.ts";
export { checkFlowTargets } from "./registry/check-flow-targets.ts";
export { checkGroupMembers } from "./registry/check-group-members.ts";
export { checkTargets, type ReferenceProblem } from "./registry/check-references.ts";
export { checkReversible, listIrreversible } from "./registry/check-reversible.ts";
export { checkSummarizer } from "./registry/check-summarizer.ts";
export { checkThreads } from "./registry/check-threads.ts";
export { nameSummarizer } from "./registry/list-references.ts";
export { listRefined, pinReferences } from "./registry/pin-references.ts";
export { createRegistry, type Registration, type Registry } from "./registry/registry.ts";
export { copyFiles } from "./thread/copy-files.ts";
export { type CopiedThreads, copyText, copyThreads, readGivenText } from "./thread/copy-threads.ts";
export { nameThread } from "./thread/name-thread.ts";
export { createThreadCache, type ThreadCache } from "./thread/thread-cache.ts";
export type { ThreadHistory } from "./thread/threads.ts";
export type { RequestedGuidance } from "./turn/give-guidance.ts";
export type { RulesInForce } from "./turn/judge-actions.ts";
export { type ReplayedTurn, type ReplayPorts, replayTurn } from "./turn/replay-turn.ts";
export {
  closeStalledTurn,
  closeUnbegunTurn,
  closeWithdrawnTurn,
  findTurnLoops,
  runTurn,
  SEALING_TRIES_MAX,
  SEMANTICS,
} from "./turn/run-turn.ts";
export type { TurnPorts, TurnRequest, TurnResult } from "./turn/turn-request.ts";
export type { BoundTools } from "./world.ts";
