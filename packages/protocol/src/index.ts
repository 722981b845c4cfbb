export type { Actor } from "./actor.ts";
export {
  APPROVAL_CHOICES,
  type ApprovalChoice,
  type ApprovalDecision,
  type ApprovalState,
  answersQuestion,
  EXCLUDED_MAX,
  type Identity,
  judgeApproval,
  listExcluded,
  missingApprovals,
  refuseDecision,
  UNKNOWN_PERSON,
} from "./approval/approval.ts";
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
export { notDone, saysNotDone, ToolError, type ToolErrorCode } from "./authoring/tool-error.ts";
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
  type Caps,
  committed,
  type Excess,
  findExcess,
  findOverrun,
  isUnit,
  listUnits,
  type NamedUnit,
  NO_SPENDING,
  type PeriodSpending,
  type Spending,
  type Unit,
} from "./budget/budget.ts";
export { type ByPeriod, PERIOD_KINDS, type PeriodKind, periodFacts } from "./budget/period.ts";
export {
  type ModelPrice,
  type PriceTable,
  priceTokens,
  type TokenCounts,
  type UnknownSide,
} from "./budget/prices.ts";
export {
  ANSWER_FAULTS,
  type AnswerFault,
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
export { type CopiedJson, copyJson, VALUE_BYTES_MAX, VALUE_DEPTH_MAX } from "./copy-json.ts";
export { type Digest, digestOf } from "./digest.ts";
export {
  ERROR_CHAIN_MAX,
  formatErrorChain,
  InvariantError,
  invariant,
  isLoopError,
  LoopError,
  type RetryAdvice,
  readErrorFacts,
  unreachable,
} from "./error.ts";
export type {
  AddedContext,
  ClaimEffect,
  ContextEntry,
  HandoffFacts,
  LimitPassage,
  ModelFacts,
  PassedFacts,
  ShownContext,
  ToolFacts,
} from "./events/action-claim.ts";
export type {
  ModelAnswerFacts,
  ReasoningTime,
  SettledStatus,
  ToolAnswerFacts,
} from "./events/action-end.ts";
export {
  type ActionKind,
  type ClaimOf,
  isClaimOf,
  isSettledOf,
  type SettledOf,
} from "./events/action-events.ts";
export { nameAction } from "./events/action-name.ts";
export type { DraftOf } from "./events/draft.ts";
export {
  type ContentOf,
  type EventOf,
  isVendorEvent,
  type LoopEvent,
  type LoopEventType,
} from "./events/event.ts";
export { foldSpending } from "./events/fold-spending.ts";
export { parseEvent } from "./events/parse-event.ts";
export type { ConsumedSignal } from "./events/run.ts";
export type { CloseReason, ThreadEnd } from "./events/turn.ts";
export {
  type Admission,
  admit,
  type DenialReason,
  type JudgeCondition,
  type ToolRequest,
} from "./grant/admit.ts";
export { type Attenuation, attenuate } from "./grant/attenuate.ts";
export type { Bounds, Limits } from "./grant/bounds.ts";
export {
  type Comparison,
  compareGrants,
  PROOF_ALGORITHM,
  type Proof,
  type Widening,
} from "./grant/compare-grants.ts";
export { containsGlob, isPath, matchesGlob } from "./grant/glob.ts";
export {
  type Grant,
  type GrantOrigin,
  type GrantRequest,
  HANDOFF_DEPTH_DEFAULT,
  parseGrant,
} from "./grant/grant.ts";
export { type Needs, nameNeeds, readNeeds, type TermRequest } from "./grant/needs.ts";
export type { Term } from "./grant/term.ts";
export { checkGuidance, type GuidanceCheck } from "./guidance/check-guidance.ts";
export { checkGuidanceRef } from "./guidance/check-guidance-ref.ts";
export { fitsGuidance } from "./guidance/fits-guidance.ts";
export {
  GUIDANCE_BYTES_MAX,
  GUIDANCE_DOCUMENTS_MAX,
  GUIDANCE_REFUSALS,
  GUIDANCE_TOTAL_BYTES_MAX,
  type GuidanceDocument,
  type GuidanceRefusal,
  type PinnedGuidance,
  SUMMARIES_MAX,
} from "./guidance/guidance.ts";
export { type GuidancePinning, pinGuidance } from "./guidance/pin-guidance.ts";
export { summarizeTurn, type TurnToSummarize } from "./guidance/summarize-turn.ts";
export { fromHex, hmacSha256Hex } from "./hmac.ts";
export { isUuid, uuidFrom } from "./ids.ts";
export { isInstant, toInstant } from "./instant.ts";
export { type BlobRef, type ContentDigest, isBlobRef } from "./log/blob-ref.ts";
export { type ChainFault, checkChain, EMPTY_HEAD, type Head, hashEvent } from "./log/chain.ts";
export { type AnyEvent, type RawEvent, toRaw } from "./log/raw-event.ts";
export type { ParseMode } from "./loop/check-fields.ts";
export { listBackends } from "./loop/list-backends.ts";
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
  type OfferedTool,
  type PromptSpec,
  type RateLimitSpec,
  type RouteSpec,
  type ToolSpec,
} from "./loop/loop-def.ts";
export type { LoopReference } from "./loop/loop-reference.ts";
export {
  EFFORT_TOKENS,
  REASONING_EFFORTS,
  type Reasoning,
  type ReasoningEffort,
  reasoningTokensMax,
} from "./loop/model-settings.ts";
export { type ParsedLoop, parseLoopDef } from "./loop/parse-loop-def.ts";
export {
  formatPath,
  type ParsedPath,
  type PathSegment,
  type PathValue,
  parsePath,
  readPath,
} from "./loop/path.ts";
export { PROBLEM_RULES, type Problem, type ProblemRule } from "./loop/problem.ts";
export type { Refinement, RefinementIssue, Refinements } from "./loop/refinement.ts";
export { compareSemver, parseSemver, type Semver } from "./loop/semver.ts";
export { listVariables, renderTemplate, renderWithin } from "./loop/template.ts";
export { meetsCondition, type ValueCondition } from "./loop/value-condition.ts";
export type { LoopResult, ReportedError } from "./loop-result.ts";
export {
  BLOCK_CAUSES,
  type Block,
  type BlockCause,
  EFFECTS,
  type Effect,
  STOP_REASONS,
  type StopReason,
  TURN_OUTCOMES,
  type TurnOutcome,
} from "./outcomes.ts";
export { isPlainText } from "./plain-text.ts";
export { formatPointer, readSegment } from "./pointer.ts";
export {
  type AllowDecision,
  type AskDecision,
  CONDITION_FAILURES,
  type ConditionFailure,
  DENIAL_CAUSES,
  type Decision,
  type DenialCause,
  type DenyDecision,
  POLICY_FACTS,
  type PolicyFacts,
  type RuleReference,
} from "./policy/decision.ts";
export { type ParsedPolicy, parsePolicy } from "./policy/parse-policy.ts";
export {
  APPROVERS_DEFAULT,
  CONDITION_LENGTH_MAX,
  DECIDE_WITHIN_MS_DEFAULT,
  DECISION_KINDS,
  type DecisionKind,
  digestPolicy,
  EXCLUSIONS,
  type Exclusion,
  ON_REJECT_DEFAULT,
  type Policy,
  type Rejection,
  type Rule,
  USE_WITHIN_MS_DEFAULT,
} from "./policy/policy.ts";
export {
  POLICY_PROBLEM_RULES,
  type PolicyProblem,
  type PolicyProblemRule,
} from "./policy/policy-problem.ts";
export { mayResolve, RESOLUTIONS, type Resolution } from "./resolutions.ts";
export { parseBounds } from "./run/parse-bounds.ts";
export { SIGNAL_NAME_LENGTH_MAX } from "./run/parse-schedules.ts";
export {
  FAILURES_MAX_DEFAULT,
  type ForkedFrom,
  type Goal,
  type PinnedLoop,
  type PinnedReferences,
  RESUMES_MAX_DEFAULT,
  type RunBounds,
  type RunSpec,
  referenceName,
  type Schedule,
  TURNS_MAX_DEFAULT,
} from "./run/run-spec.ts";
export { describeTrigger, listStarters, type Trigger } from "./run/trigger.ts";
export { sha256Hex } from "./sha256.ts";
export { isTenant, TENANT_LENGTH_MAX, TENANT_WORDS } from "./tenant.ts";
export { isToolReference } from "./tool-reference.ts";
