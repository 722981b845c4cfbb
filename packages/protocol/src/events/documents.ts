/**
 * Checks of larger values that several events hold (spec/schemas/event.schema.json). Each looks at
 * every field, however deep, and refuses a field that it does not know.
 */
import { ACTOR_KINDS, type Actor } from "../actor.ts";
import { areAmounts, type Spending } from "../budget/budget.ts";
import { PERIOD_KINDS } from "../budget/period.ts";
import {
  ANSWER_FAULTS,
  CALL_ERROR_CODES,
  type CallErrorDetails,
  LSR_ERROR_CODES,
} from "../call-error.ts";
import type { JsonValue } from "../canonical-json.ts";
import type { Proof } from "../grant/compare-grants.ts";
import { type Grant, readGrant } from "../grant/grant.ts";
import { ROLLBACK_CAUSES } from "../outcomes.ts";
import { CONDITION_FAILURES, type RuleReference } from "../policy/decision.ts";
import { REJECTIONS } from "../policy/policy.ts";
import type { GuidanceRef } from "../receipt/statement.ts";
import type { ParentClaim } from "../run/parent-claim.ts";
import { KEPT_STRATEGIES, type RunBounds, type RunSpec } from "../run/run-spec.ts";
import type { Trigger } from "../run/trigger.ts";
import { hasOnly, type Is, isCount, isFlag, isHash, isListOf, isOneOf, isText } from "../shape.ts";
import { isByPeriod, isDigest, isObject, isRecordOf, isTime } from "./fields.ts";

export const isActor: Is<Actor> = hasOnly({ kind: isOneOf(ACTOR_KINDS), id: isText });

export const isGrant: Is<Grant> = (value): value is Grant => readGrant(value) !== undefined;

const isPeriodSpending = hasOnly({ period: isText, amounts: areAmounts });

export const isSpending: Is<Spending> = hasOnly(
  { settled: areAmounts, assumed: areAmounts, open: areAmounts },
  { periodic: isByPeriod(isPeriodSpending) },
);

/** A verifier computes a proof again, so that its words may be any. */
export const isProof = hasOnly({
  algorithm: isText,
  result: isText,
  compared: isListOf(hasOnly({ child: isText, parent: isText, relation: isText })),
  parentDigest: isText,
}) as Is<Proof>;

export const isTrigger: Is<Trigger> = hasOnly({
  type: isText,
  sequence: isCount,
  hash: isHash,
  by: isActor,
});

export const isParentClaim: Is<ParentClaim> = hasOnly({
  run: isText,
  turn: isCount,
  sequence: isCount,
  hash: isHash,
});

export const isRule: Is<RuleReference> = hasOnly({ id: isText }, { file: isText, line: isCount });

export const isGuidanceRef: Is<GuidanceRef> = hasOnly({
  digest: isText,
  size: isCount,
  mediaType: isText,
});

export const isDetails: Is<CallErrorDetails> = hasOnly(
  { lsr: isOneOf(LSR_ERROR_CODES) },
  {
    problems: isListOf(isText),
    path: isText,
    expression: isText,
    failure: isOneOf(CONDITION_FAILURES),
    denial: isText,
    rule: isRule,
    unit: isText,
    period: isOneOf(PERIOD_KINDS),
    fault: isOneOf(ANSWER_FAULTS),
    wait: isText,
    step: hasOnly({ index: isCount, loopId: isText, code: isOneOf(CALL_ERROR_CODES) }),
  },
);

const isJson: Is<JsonValue> = (value): value is JsonValue => value !== undefined;
const isSchedule = hasOnly({ name: isText, cron: isText }, { timezone: isText, payload: isJson });

/** The host checks goals and mappings before a run starts: here they are objects. */
export const isBounds = hasOnly(
  { failuresMax: isCount, resumesMax: isCount },
  {
    turnsMax: isCount,
    deadlineAt: isTime,
    goal: isObject,
    nextInput: isObject,
    retryForMs: isCount,
    onRoundsExhausted: isOneOf(["stop", "continue"]),
    onFailure: isOneOf(["stop", "wait"]),
    onReject: isOneOf(REJECTIONS),
    noDrift: isFlag,
    rollbackOn: isListOf(isOneOf(ROLLBACK_CAUSES)),
    summaries: isCount,
    awaits: isListOf(isText),
    schedules: isListOf(isSchedule),
  },
) as Is<RunBounds>;

const isPinnedLoop = hasOnly(
  { id: isText, version: isText, digest: isDigest },
  { refined: isListOf(isText), cache: isOneOf(KEPT_STRATEGIES) },
);
const isPinnedGuidance = hasOnly({
  ref: isText,
  digest: isDigest,
  size: isCount,
  mediaType: isText,
});

export const isSpec = hasOnly(
  {
    loop: isText,
    version: isText,
    grant: isGrant,
    bounds: isBounds,
    pinned: isRecordOf(isPinnedLoop),
  },
  {
    policy: hasOnly({ name: isText, digest: isDigest }),
    parent: isParentClaim,
    committed: areAmounts,
    starters: isListOf(isText),
    forkedFrom: hasOnly({ run: isText, turn: isCount }, { receipt: isText }),
    guidance: isListOf(isPinnedGuidance),
  },
) as Is<RunSpec>;
