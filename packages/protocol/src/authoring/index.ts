export {
  APPROVAL_POLICIES,
  type ApprovalPolicy,
  ASK_REASONS,
  type GateAnswer,
  RUN_REASONS,
} from "../approval/tool-gate.ts";
export {
  type DeclaredCompensation,
  isDeclaredCompensation,
  isTakenAction,
  type TakenAction,
} from "../compensation.ts";
export { ROLLBACK_CAUSES, type RollbackCause } from "../outcomes.ts";
export {
  AUTHORING_ERROR_CODES,
  AuthoringError,
  type AuthoringErrorCode,
} from "./authoring-error.ts";
export { buildOf } from "./build-of.ts";
export {
  type CompensateContext,
  type Compensation,
  type CompensationInput,
  FILES_BUILD,
  UNDO_SUFFIX,
} from "./compensate.ts";
export { orElse, text } from "./compute.ts";
export {
  type ComposedSteps,
  type CompositeInput,
  defineComposite,
  type Steps,
} from "./define-composite.ts";
export { definePrompt, type PromptInput } from "./define-prompt.ts";
export { defineTool, type ToolInput } from "./define-tool.ts";
export { cel, is, present } from "./flow/cel.ts";
export type { ComposedFlow, Flow, FlowStart, Machine } from "./flow/flow.ts";
export { type GroupRest, type GroupRestAnswer, groupRest } from "./group-rest.ts";
export {
  jsonSchema,
  type SchemaSource,
  type StandardJsonSchema,
  type TypedJsonSchema,
} from "./json-schema-source.ts";
export {
  DEVELOPMENT_VERSION,
  type DeclaredArtifacts,
  type DeclaredEffect,
  type InputOf,
  type InspectContext,
  type Loop,
  type LoopHeader,
  type OutputOf,
} from "./loop.ts";
export {
  type AiSdkCall,
  type AiSdkTool,
  type ApprovalContext,
  type LoopsTool,
  type LoopsToolInput,
  type LoopsToolOptions,
  type LoopsToolSet,
  loopsTool,
  type MakeToolContext,
  type ToLoopOptions,
} from "./loops-tool.ts";
export {
  ApprovalRequiredError,
  LOOPS_TOOL_ERROR_CODES,
  LoopsToolError,
  type LoopsToolErrorCode,
} from "./loops-tool-error.ts";
export type { MappingTo } from "./mapping-fields.ts";
export { type NoteTaken, noteTaker } from "./note-taker.ts";
export { type OutputPart, outputReader } from "./output-reader.ts";
export { type PlanToStart, planStarter } from "./plan-starter.ts";
export type { Placeholder, Reference } from "./reference.ts";
export { type RestAnswer, type RollbackRest, rollbackRest } from "./rollback-rest.ts";
export { defineTable, type Participant, type TableInput } from "./table/define-table.ts";
export type { TableMode } from "./table/table-flows.ts";
export type {
  ArtifactChange,
  ArtifactListing,
  ArtifactRead,
  ArtifactRefusal,
  ArtifactWrite,
  ToolArtifacts,
} from "./tool-artifacts.ts";
export {
  needsAnswer,
  notDone,
  readQuestion,
  saysNotDone,
  ToolError,
  type ToolErrorCode,
  type ToolQuestion,
} from "./tool-error.ts";
export type {
  Reconcile,
  Reconciliation,
  ToolAnswer,
  ToolContext,
  ToolFunction,
} from "./tool-function.ts";
export type { CheckingSchema, ToolSchema } from "./tool-schema.ts";
export { withUsed } from "./with-used.ts";
