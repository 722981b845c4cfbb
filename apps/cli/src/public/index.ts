export { fromAiSdkTool } from "@turnseal/adapters/ai-sdk";
export { aiSdkModel, boundedFetch, modelsFromEnvironment } from "@turnseal/adapters/models";
export {
  type AnswerRequest,
  HostError,
  type PersonRequest,
  type RequestAnswer,
  type RunOutcome,
  type UnknownRequest,
} from "@turnseal/host";
export {
  type Model,
  ModelError,
  type ModelRequest,
  type Observer,
  type ScriptedReply,
  scriptedModel,
  type Tool,
} from "@turnseal/ports";
export {
  canonicalize,
  type Grant,
  isLoopError,
  type LoopDef,
  LoopError,
  type LoopEvent,
  type LoopResult,
  type ModelMessage,
  type Policy,
  type RunBounds,
} from "@turnseal/protocol";
export {
  ApprovalRequiredError,
  cel,
  defineComposite,
  definePrompt,
  defineTable,
  defineTool,
  type InputOf,
  is,
  jsonSchema,
  type Loop,
  loopsTool,
  needsAnswer,
  notDone,
  noteTaker,
  type OutputOf,
  orElse,
  outputReader,
  present,
  type ToolContext,
  text,
} from "@turnseal/protocol/authoring";
export { FILE_SCHEMA, type FileRef } from "@turnseal/protocol/files";
export { type PublicKey, parseKeys, verifyRun } from "@turnseal/protocol/receipts";
export {
  createRuntime,
  DefinitionError,
  type GrantToGive,
  loadPolicy,
  type Turnseal,
  type TurnsealOptions,
  type TurnsealStart,
  turnseal,
} from "@turnseal/runtime";
export { agentLoop, loadWorkflow, scope } from "@turnseal/workflow";
