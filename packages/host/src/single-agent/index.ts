export {
  type ActionExecutionLayer,
  InMemoryAEL,
  InMemoryVSL,
  type ValueStateLayer,
} from "@turnseal/ports";
export { STEP_MS_MAX } from "./execute-steps.ts";
export { createModuleRegistry, MODULES_MAX, type ModuleRegistry } from "./module-registry.ts";
export {
  type FlowError,
  type RunSingleAgentFlowOptions,
  type RuntimeResult,
  runSingleAgentFlow,
} from "./run-single-agent-flow.ts";
export type {
  ModuleContext,
  RuntimeContext,
  RuntimeModule,
  RuntimeModuleRegistry,
} from "./runtime-context.ts";
