export type { ActionExecutionLayer } from "./actions/action-execution.ts";
export {
  type ActionLayerOptions,
  type ActionToRun,
  createActionLayer,
} from "./actions/action-layer.ts";
export { InMemoryAEL } from "./actions/in-memory-ael.ts";
export { STEP_MS_MAX } from "./flow/execute-steps.ts";
export { createModuleRegistry, MODULES_MAX, type ModuleRegistry } from "./flow/module-registry.ts";
export {
  type FlowError,
  type RunSingleAgentFlowOptions,
  type RuntimeResult,
  runSingleAgentFlow,
} from "./flow/run-single-agent-flow.ts";
export type {
  ModuleContext,
  RuntimeContext,
  RuntimeModule,
  RuntimeModuleRegistry,
} from "./flow/runtime-context.ts";
