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
export type { DeclaredEffect, Loop, LoopHeader } from "./authoring/loop.ts";
export { TOOL_ERROR_CODES, ToolError, type ToolErrorCode } from "./authoring/tool-error.ts";
export type {
  Reconcile,
  Reconciliation,
  ToolContext,
  ToolFunction,
} from "./authoring/tool-function.ts";
export {
  AMOUNT_MAX,
  type Amounts,
  addAmounts,
  areAmounts,
  BUDGET_UNITS,
  type BudgetUnit,
  committed,
  findOverrun,
  NO_SPENDING,
  type Spending,
  subtractAmounts,
} from "./budget/budget.ts";
export { foldSpending } from "./budget/fold-spending.ts";
export { type ModelPrice, type PriceTable, priceTokens } from "./budget/prices.ts";
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
  admitTool,
  type DenialReason,
  GRANT_NAME_LENGTH_MAX,
  GRANT_TOOLS_MAX,
  type Grant,
  parseGrant,
} from "./grant/grant.ts";
export { isWithin } from "./grant/is-within.ts";
export { fromHex, hmacSha256Hex } from "./hmac.ts";
export {
  type CallId,
  type EventId,
  isUuid,
  type LoopId,
  type RunId,
  type TurnId,
  uuidFrom,
} from "./ids.ts";
export { type BlobRef, type ContentDigest, isBlobRef } from "./log/blob-ref.ts";
export {
  type Actor,
  type ChainFault,
  checkChain,
  EMPTY_HEAD,
  type Head,
  hashEvent,
  type LoopEvent,
} from "./log/loop-event.ts";
export {
  type BackendRef,
  type CompositeSpec,
  type CompositeStep,
  type JsonSchema,
  LOOP_KINDS,
  type LoopDef,
  type LoopKind,
  type LoopPolicy,
  type LoopReference,
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
export { isInstant, toInstant } from "./run/instant.ts";
export {
  EFFECTS,
  type Effect,
  STOP_REASONS,
  type StopReason,
  TURN_OUTCOMES,
  type TurnOutcome,
} from "./run/outcomes.ts";
export { mayResolve, RESOLUTIONS, type Resolution } from "./run/resolutions.ts";
export {
  FAILURES_MAX_DEFAULT,
  type Goal,
  type PinnedReferences,
  RESUMES_MAX_DEFAULT,
  type RunPolicy,
  type RunSpec,
  referenceName,
  TURNS_MAX_DEFAULT,
} from "./run/run-spec.ts";
export { sha256Hex } from "./sha256.ts";
export { type TakenJson, takeJson } from "./take-json.ts";
