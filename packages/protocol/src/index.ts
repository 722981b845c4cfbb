export type { Actor } from "./actor.ts";
export {
  APPROVAL_CHOICES,
  type ApprovalChoice,
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
  type Condition,
  fitsPattern,
  isPattern,
  type Pattern,
} from "./approval/pattern.ts";
export { judgePlanApproval } from "./approval/plan-approval.ts";
export {
  drawRest,
  hasRest,
  isWithinStanding,
  mayBeStanding,
  nameStanding,
  narrowStanding,
  type StandingRest,
} from "./approval/standing.ts";
export {
  AMOUNT_MAX,
  type Amounts,
  addAmounts,
  areAmounts,
  BUDGET_UNITS,
  type Caps,
  committed,
  type Excess,
  findExcess,
  findOverrun,
  isUnit,
  isUnprocessedFailure,
  listUnits,
  NO_SPENDING,
  type Spending,
  subtractAmounts,
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
export { capByPeriods, carryOpen, shareBudget } from "./budget/share-budget.ts";
export {
  type AnswerFault,
  CALL_ERROR_CODES,
  type CallError,
  type CallErrorCode,
  type CallErrorDetails,
  callError,
} from "./call-error.ts";
export {
  CanonicalJsonError,
  canonicalize,
  isPlainObject,
  JSON_DEPTH_MAX,
  type JsonObject,
  type JsonValue,
} from "./canonical-json.ts";
export { MODEL_ERROR_CODES, type ModelErrorCode } from "./conversation/model-failure.ts";
export type { ModelContent, ModelMessage } from "./conversation/model-message.ts";
export { type CopiedJson, copyJson, VALUE_BYTES_MAX, VALUE_DEPTH_MAX } from "./copy-json.ts";
export { cutReason, REASON_LENGTH_MAX } from "./cut-reason.ts";
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
export { nameOfError, placeOfError } from "./error-place.ts";
export type {
  ClaimEffect,
  HandoffFacts,
  LimitPassage,
  ModelFacts,
  PassedFacts,
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
export { nameAction, nameTool } from "./events/action-name.ts";
export type {
  AddedContext,
  ContextEntry,
  ShownContext,
  SummarizedSpan,
  SummaryFault,
} from "./events/added-context.ts";
export type { ArtifactChanges } from "./events/artifact.ts";
export type { KeptCall } from "./events/cache.ts";
export type { DraftOf } from "./events/draft.ts";
export type { Envelope } from "./events/envelope.ts";
export {
  type ContentOf,
  type EventOf,
  isVendorEvent,
  type LoopEvent,
  type LoopEventType,
} from "./events/event.ts";
export { isOfFiles, isOfPlan, type PlanEventType } from "./events/event-types.ts";
export { DECLINED, type ItemStatus } from "./events/flow.ts";
export { foldSpending } from "./events/fold-spending.ts";
export type { GivenThread, HandedItem } from "./events/handed.ts";
export type { NoteEnd, NoteKey, NoteLifetime } from "./events/note.ts";
export { parseEvent } from "./events/parse-event.ts";
export { isPlannedStep, type PlanDecision, type PlanEnd, type PlannedStep } from "./events/plan.ts";
export type { ConsumedSignal, CopiedThread } from "./events/run.ts";
export type { CloseReason, ThreadEnd } from "./events/turn.ts";
export { findNearest, NEAREST_LENGTH_MAX } from "./find-nearest.ts";
export { type Admission, admit } from "./grant/admit.ts";
export { attenuate } from "./grant/attenuate.ts";
export { compareGrants, countFanout, type Proof } from "./grant/compare-grants.ts";
export { containsGlob, matchesGlob } from "./grant/glob.ts";
export { type Grant, HANDOFF_DEPTH_DEFAULT, parseGrant } from "./grant/grant.ts";
export { type Needs, nameNeeds, readNeeds, type TermRequest } from "./grant/needs.ts";
export { fanoutOf, type Term } from "./grant/term.ts";
export { checkGuidance } from "./guidance/check-guidance.ts";
export { checkGuidanceRef } from "./guidance/check-guidance-ref.ts";
export { fitsGuidance } from "./guidance/fits-guidance.ts";
export {
  GUIDANCE_BYTES_MAX,
  GUIDANCE_DOCUMENTS_MAX,
  GUIDANCE_TOTAL_BYTES_MAX,
  type GuidanceDocument,
  type PinnedGuidance,
  SUMMARIES_MAX,
} from "./guidance/guidance.ts";
export { pinGuidance } from "./guidance/pin-guidance.ts";
export { summarizeTurn } from "./guidance/summarize-turn.ts";
export { fromHex, hmacSha256Hex } from "./hmac.ts";
export { cellOf, inCell, isCell, isUuid, uuidFrom } from "./ids.ts";
export { isInstant, toInstant } from "./instant.ts";
export { type BlobRef, type ContentDigest, isBlobRef } from "./log/blob-ref.ts";
export { checkChain, EMPTY_HEAD, type Head, hashEvent } from "./log/chain.ts";
export { type RawEvent, toRaw } from "./log/raw-event.ts";
export type { CacheSpec } from "./loop/cache-spec.ts";
export type { ParseMode } from "./loop/check-fields.ts";
export {
  type ContextSpec,
  isTaskStrategy,
  type Strategy,
  type ThreadStrategy,
} from "./loop/context-spec.ts";
export { isMappingSource, isThreadName } from "./loop/field-type.ts";
export type {
  CallNode,
  ErrorRule,
  FlowNode,
  ForEachNode,
  ItemErrorRule,
  IterationScope,
  Join,
  MachineNode,
  RetrySpec,
  RetryStrategy,
  StateSpec,
  Tolerance,
  WaitedFor,
} from "./loop/flow-spec.ts";
export { FINAL_CODES, FLOW_NODES_MAX } from "./loop/flow-spec.ts";
export type { JsonSchema } from "./loop/json-schema.ts";
export { listBackends } from "./loop/list-backends.ts";
export type {
  BackendRef,
  CompositeSpec,
  CompositeStep,
  FlowSpec,
  LoopDef,
  LoopPolicy,
  OfferedTool,
  PromptSpec,
  RateLimitSpec,
  StepsSpec,
  ToolSpec,
} from "./loop/loop-def.ts";
export type { LoopReference } from "./loop/loop-reference.ts";
export type { Mapping, MappingSource } from "./loop/mapping.ts";
export {
  EFFORT_TOKENS,
  REASONING_EFFORTS,
  type Reasoning,
  type ReasoningEffort,
  reasoningTokensMax,
} from "./loop/model-settings.ts";
export { isNoteKey, NAMED_LIFETIMES, type NoteSpec } from "./loop/note-spec.ts";
export { parseLoopDef } from "./loop/parse-loop-def.ts";
export { formatPath, type PathSegment, parsePath, readPath } from "./loop/path.ts";
export type { Problem, ProblemRule } from "./loop/problem.ts";
export type { Refinement, Refinements } from "./loop/refinement.ts";
export { FLOW_NAMES, isReservedName } from "./loop/reserved-names.ts";
export { ROUNDS_DEFAULT, ROUNDS_MAX } from "./loop/rounds.ts";
export { compareSemver, parseSemver, type Semver } from "./loop/semver.ts";
export { listVariables, renderTemplate, renderWithin } from "./loop/template.ts";
export { meetsCondition, type ValueCondition } from "./loop/value-condition.ts";
export type { LoopResult } from "./loop-result.ts";
export {
  BLOCK_CAUSES,
  type Block,
  type BlockCause,
  EFFECTS,
  type Effect,
  type Obstacle,
  STOP_REASONS,
  type StopReason,
  TURN_OUTCOMES,
  type TurnOutcome,
} from "./outcomes.ts";
export { isPlainText, textOf } from "./plain-text.ts";
export { compilePlan, isMadeOfPlan } from "./plan/compile-plan.ts";
export { findExactInput } from "./plan/exact-input.ts";
export { parsePlan } from "./plan/parse-plan.ts";
export { PLAN_STEPS_MAX, PLAN_TITLE_LENGTH_MAX, type PlanDocument } from "./plan/plan-document.ts";
export { formatPointer, parsePointer, readPointer, readSegment } from "./pointer.ts";
export {
  type AskDecision,
  CONDITION_FAILURES,
  type ConditionFailure,
  DENIAL_CAUSES,
  type Decision,
  POLICY_FACTS,
  type PolicyFacts,
  type RuleReference,
} from "./policy/decision.ts";
export { parsePolicy } from "./policy/parse-policy.ts";
export {
  APPROVERS_DEFAULT,
  CONDITION_LENGTH_MAX,
  DECIDE_WITHIN_MS_DEFAULT,
  DECISION_KINDS,
  digestPolicy,
  EXCLUSIONS,
  type Exclusion,
  ON_REJECT_DEFAULT,
  type Policy,
  type Rejection,
  type Rule,
  USE_WITHIN_MS_DEFAULT,
} from "./policy/policy.ts";
export type { PolicyProblem, PolicyProblemRule } from "./policy/policy-problem.ts";
export {
  areStandingTerms,
  mayBeStandingTerms,
  type StandingTerms,
} from "./policy/standing-terms.ts";
export {
  keepsReservation,
  LATE_RESOLUTIONS,
  type LateResolution,
  mayResolve,
  mayResolveLate,
  RESOLUTIONS,
  type Resolution,
} from "./resolutions.ts";
export { defaultTurns, parseBounds } from "./run/parse-bounds.ts";
export { SIGNAL_NAME_LENGTH_MAX } from "./run/parse-schedules.ts";
export {
  findPause,
  formatPause,
  formatPaused,
  PAUSE_BECAUSE_LENGTH_MAX,
  PAUSE_SCOPES,
  type Pause,
  type PauseScope,
  type Pauses,
} from "./run/pause.ts";
export {
  FAILURES_MAX_DEFAULT,
  type ForkedFrom,
  type Goal,
  type KeptCalls,
  NEXT_INPUT_ROOTS,
  type PinnedLoop,
  type PinnedReferences,
  RESUMES_MAX_DEFAULT,
  RETRY_FOR_MS_DEFAULT,
  RETRY_FOR_MS_MAX,
  type RunBounds,
  type RunSpec,
  referenceName,
  type Schedule,
  TURNS_MAX_DEFAULT,
} from "./run/run-spec.ts";
export { describeTrigger, listStarters, type Trigger } from "./run/trigger.ts";
export { sha256Hex } from "./sha256.ts";
export { isTenant, TENANT_LENGTH_MAX, TENANT_WORDS } from "./tenant.ts";
export {
  BUILT_IN_TOOLS,
  HANDOFF_TOOL,
  isPlanLoop,
  isReservedTool,
  isToolReference,
  NOTE_TOOL,
  OUTPUT_TOOL,
  PLAN_TOOL,
  QUESTION_TOOL,
  STORE_TOOL,
} from "./tool-reference.ts";
