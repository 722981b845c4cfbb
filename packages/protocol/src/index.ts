export {
  AUTHORING_ERROR_CODES,
  AuthoringError,
  type AuthoringErrorCode,
} from "./authoring/authoring-error.ts";
export {
  type ComposedSteps,
  type CompositeInput,
  defineComposite,
  type InputOf,
  type MappingTo,
  type OutputOf,
  type Reference,
  type Steps,
} from "./authoring/define-composite.ts";
export { definePrompt, type PromptInput } from "./authoring/define-prompt.ts";
export { defineTool, type ToolInput } from "./authoring/define-tool.ts";
export {
  jsonSchema,
  type SchemaSource,
  type StandardJsonSchema,
  type TypedJsonSchema,
} from "./authoring/json-schema-source.ts";
export type { Loop, LoopHeader } from "./authoring/loop.ts";
export type { ToolContext, ToolFunction } from "./authoring/tool-function.ts";
export {
  CALL_ERROR_CODES,
  type CallError,
  type CallErrorCode,
  type CallErrorDetails,
  callError,
  type LsrErrorCode,
} from "./call-error.ts";
export {
  CanonicalJsonError,
  type CanonicalJsonErrorCode,
  canonicalize,
  isPlainObject,
  JSON_DEPTH_MAX,
  type JsonArray,
  type JsonObject,
  type JsonValue,
} from "./canonical-json.ts";
export { type Digest, digestOf } from "./digest.ts";
export {
  ERROR_CHAIN_MAX,
  formatErrorChain,
  InvariantError,
  invariant,
  isLoopError,
  LoopError,
  type RetryAdvice,
  unreachable,
} from "./error.ts";
export {
  type CallId,
  type EventId,
  isUuid,
  type LoopId,
  type RunId,
  type TurnId,
  uuidFrom,
} from "./ids.ts";
export {
  type BackendRef,
  type CompositeSpec,
  type CompositeStep,
  type JsonSchema,
  LOOP_KINDS,
  type LoopDef,
  type LoopKind,
  type LoopPolicy,
  type Mapping,
  type MappingSource,
  type PromptSpec,
  type ToolSpec,
} from "./loop/loop-def.ts";
export { type ParsedLoop, type ParseMode, parseLoopDef } from "./loop/parse-loop-def.ts";
export {
  formatPath,
  PATH_LENGTH_MAX,
  type ParsedPath,
  type PathSegment,
  type PathValue,
  parsePath,
  readPath,
} from "./loop/path.ts";
export { PROBLEM_RULES, type Problem, type ProblemRule } from "./loop/problem.ts";
export { isReservedName } from "./loop/reserved-names.ts";
export { compareSemver, parseSemver, type Semver, VERSION_LENGTH_MAX } from "./loop/semver.ts";
export { listVariables, measureTemplate, renderTemplate } from "./loop/template.ts";
export type { LoopResult, ReportedError } from "./loop-result.ts";
export { type TakenJson, takeJson } from "./take-json.ts";
