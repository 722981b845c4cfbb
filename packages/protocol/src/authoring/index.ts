export {
  APPROVAL_POLICIES,
  type ApprovalPolicy,
  ASK_REASONS,
  type GateAnswer,
  RUN_REASONS,
} from "../approval/tool-gate.ts";
export { buildOf } from "./build-of.ts";
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
export { type OutputPart, outputReader } from "./output-reader.ts";
export type { CheckingSchema, ToolSchema } from "./tool-schema.ts";
