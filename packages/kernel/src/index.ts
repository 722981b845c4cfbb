export { EVENT_ERROR_CODES, EventError, type EventErrorCode } from "./actions/tool-context.ts";
export {
  type CallOptions,
  createExecutor,
  type Executor,
  type ExecutorOptions,
} from "./call/executor.ts";
export type { CheckedLoop, CheckedStep } from "./definition/check-loop.ts";
export * from "./limits.ts";
export type { ReferenceProblem } from "./registry/check-references.ts";
export { createRegistry, type Registration, type Registry } from "./registry/registry.ts";
