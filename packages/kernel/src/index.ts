export { bindLoops, bindTools, type ToolBindings } from "./actions/bind-tools.ts";
export { HANDOFF_TOOL } from "./actions/hand-off.ts";
export { OUTPUT_TOOL } from "./actions/read-output.ts";
export { QUESTION_TOOL } from "./actions/run-tool.ts";
export { EVENT_ERROR_CODES, EventError, type EventErrorCode } from "./actions/tool-context.ts";
export {
  type CallOptions,
  createExecutor,
  type Executor,
  type ExecutorOptions,
} from "./call/executor.ts";
export { LEFT_OUT } from "./context/conversation.ts";
export type { CheckedLoop, CheckedStep } from "./definition/check-loop.ts";
export {
  type Appender,
  type AppenderOptions,
  createAppender,
  type EventDraft,
} from "./journal/appender.ts";
export { type Content, createContent } from "./journal/content.ts";
export { LOG_ERROR_CODES, LogError, type LogErrorCode } from "./journal/log-error.ts";
export * from "./limits.ts";
export {
  compilePolicy,
  findPolicy,
  type PolicyCompilation,
  readPolicy,
} from "./policy/compile-policy.ts";
export { type CompiledPolicy, UNREADABLE_POLICY } from "./policy/compiled-policy.ts";
export { type CompiledCondition, type Condition, compileCondition } from "./policy/condition.ts";
export { decide } from "./policy/decide.ts";
export type { ReferenceProblem } from "./registry/check-references.ts";
export { pinReferences } from "./registry/pin-references.ts";
export { createRegistry, type Registration, type Registry } from "./registry/registry.ts";
export type { RequestedGuidance } from "./turn/give-guidance.ts";
export type { RulesInForce } from "./turn/judge-actions.ts";
export { type ReplayedTurn, type ReplayPorts, replayTurn } from "./turn/replay-turn.ts";
export {
  closeStalledTurn,
  runTurn,
  SEMANTICS,
  type TurnPorts,
  type TurnRequest,
  type TurnResult,
} from "./turn/run-turn.ts";
