/** The claim before an effect on the world: a request, an act of a tool, a start of a run. */
import type { StandingDraw } from "../approval/standing.ts";
import type { Amounts } from "../budget/budget.ts";
import type { ByPeriod } from "../budget/period.ts";
import {
  type DeclaredCompensation,
  isRecordedCompensation,
  isRecordedTaking,
  type TakenAction,
} from "../compensation.ts";
import type { Digest } from "../digest.ts";
import type { Proof } from "../grant/compare-grants.ts";
import type { Grant } from "../grant/grant.ts";
import { areNamedNeeds, type NamedNeed } from "../grant/needs.ts";
import type { BlobRef, ContentDigest } from "../log/blob-ref.ts";
import { EFFECTS } from "../outcomes.ts";
import type { Decision, RuleReference } from "../policy/decision.ts";
import { DECISION_KINDS, EXCLUSIONS, type Exclusion } from "../policy/policy.ts";
import type { RunBounds } from "../run/run-spec.ts";
import {
  type FieldsOf,
  hasOnly,
  type Is,
  isCount,
  isListOf,
  isOneOf,
  isText,
  isTrue,
} from "../shape.ts";
import { type AddedContext, isAddedContext } from "./added-context.ts";
import { isBounds, isGrant, isProof, isRule } from "./documents.ts";
import { isAmounts, isContentDigest, isDigest, isPeriods, isRef, isTime } from "./fields.ts";
import { type CommittedGroup, isCommittedGroup } from "./flow.ts";
import { type GivenThread, type HandedItem, isGivenThread, isHandedItem } from "./handed.ts";

/** The declared effect of an action: a model request is simply repeatable. */
export const CLAIM_EFFECTS = [...EFFECTS, "repeatable"] as const;
export type ClaimEffect = (typeof CLAIM_EFFECTS)[number];

/** The facts of a claimed request to a model. */
export type ModelFacts = {
  readonly action: "model";
  readonly backend: string;
  readonly model: string;
  /** UTF-16 units of the rendered prompt without the system prompt. */
  readonly promptLength: number;
  /** Tokens of the request by estimate, where they are limited. */
  readonly contextTokens?: number;
  /** The chosen route of the prompt, and the reason. */
  readonly route?: RouteChoice;
  readonly limit?: LimitPassage;
  /** True if filters check the output before it is shown. */
  readonly filtered?: true;
  /** Answers of another model, sent without what only their own provider wants back. */
  readonly stripped?: number;
};

/** How a request got its lease, where it is limited together with others. */
export interface LimitPassage {
  readonly name: string;
  readonly answer: "taken" | "away";
  /** From when it was ready until it was claimed. */
  readonly waitedMs: number;
}

export interface RouteChoice {
  readonly index: number;
  readonly reason: "first" | "condition" | `fallback:${string}`;
}

/** The facts of a claimed execution of a tool. */
export type ToolFacts = {
  readonly action: "tool";
  readonly tool: string;
  /** A name for the tool's code. */
  readonly build: string;
  /** The entry of the grant under which it is executed. */
  readonly term: string;
  /** Its needs of terms over resources, and the ids of the terms that admitted it. */
  readonly needs?: readonly NamedNeed[];
  readonly terms?: readonly string[];
  /** The names of the secrets that it gets, and that are removed from its answer. */
  readonly secrets?: readonly string[];
  /** The root of files in which alone it may change something. */
  readonly root?: string;
  /** The compensation, or the reason why there is none, as the tool declares it. */
  readonly compensation?: DeclaredCompensation;
  readonly irreversible?: string;
  /** The action that it takes back, where it is a compensation. */
  readonly takesBack?: TakenAction;
  /** The claim whose question is answered for it, by its sequence number. */
  readonly answers?: number;
  /** Of the action that commits a group: which, and what is held for it, in order. */
  readonly group?: CommittedGroup;
};

/** The facts of a claimed handoff: the loop that is started, and its grant and bounds. */
export type HandoffFacts = {
  readonly action: "handoff";
  readonly target: string;
  readonly targetVersion?: string;
  readonly bounds: RunBounds;
  /** The part of the grant for the other run, its digest, and the proof. */
  readonly grant: Grant;
  readonly slice: Digest;
  readonly proof: Proof;
  /** The thread whose entries the other run gets a copy of, if any. */
  readonly thread?: GivenThread;
  /** The item of a fan-out that the other run is, where it is one. */
  readonly item?: HandedItem;
};

/** How rules and people let an action through. */
export type PassedFacts = {
  /** The policy that decided, and its rule. */
  readonly policy?: Digest;
  readonly rule?: RuleReference;
  /** The decision of the rules on trial. */
  readonly shadow?: ShadowDecision;
  /** Why the tool's own gate let it through. */
  readonly gate?: string;
  /** The request under which it is claimed, by its sequence number. */
  readonly approval?: number;
  /** The role of its approvers, and the excluded people. */
  readonly role?: string;
  readonly excluded?: readonly string[];
  /** Where the approval is a plan's: the step that it is used for, and what the rule wants. */
  readonly planned?: PlannedClaim;
  /** Where the approval stands: the drawn decision, and the rest. */
  readonly drawn?: StandingDraw;
};

/** A step of a plan that was approved, and what its own rule wants of an approval. */
export type PlannedClaim = {
  /** The proposal, by its sequence number. */
  readonly plan: number;
  /** The step, from zero. */
  readonly step: number;
  readonly approvers: number;
  readonly useWithinMs: number;
  /** The people that the rule excludes, in its words; `excluded` has them by id. */
  readonly exclude?: readonly Exclusion[];
};

export interface ShadowDecision {
  readonly kind: Decision["kind"];
  readonly policy?: Digest;
  readonly rule?: RuleReference;
}

interface ClaimTerms {
  /** The same in every attempt. */
  readonly key: string;
  /** Of the whole action. */
  readonly digest: ContentDigest;
  readonly effect: ClaimEffect;
  /** At most what it can cost. */
  readonly reserve: Amounts;
  readonly deadlineAt: string;
  /** The periods in which it counts, where the grant has caps for some. */
  readonly periods?: ByPeriod<string>;
}

export type ClaimedModel = ModelFacts &
  ClaimTerms & {
    readonly context: AddedContext;
    /** Outputs of this turn that the model is shown a part of. */
    readonly outputs?: readonly BlobRef[];
  };

export type ClaimedTool = ToolFacts &
  ClaimTerms &
  PassedFacts & {
    readonly request: BlobRef;
    /** The claim whose place, and reservation, this one takes. */
    readonly supersedes?: number;
    /** The path of its group, until which is committed nothing is done by this claim. */
    readonly held?: string;
  };

export type ClaimedHandoff = HandoffFacts &
  ClaimTerms &
  Omit<PassedFacts, "gate" | "drawn"> & {
    readonly request: BlobRef;
    /** The run that is started. */
    readonly child: string;
    /** The sum that this run, and the runs above it, had committed before. */
    readonly committed?: Amounts;
  };

export type ActionClaimed = ClaimedModel | ClaimedTool | ClaimedHandoff;

export const toolFields: FieldsOf<ToolFacts> = {
  always: { action: isOneOf(["tool"]), tool: isText, build: isText, term: isText },
  sometimes: {
    needs: areNamedNeeds,
    terms: isListOf(isText),
    secrets: isListOf(isText),
    root: isText,
    compensation: isRecordedCompensation,
    irreversible: isText,
    takesBack: isRecordedTaking,
    answers: isCount,
    group: isCommittedGroup,
  },
};

const isShadow: Is<ShadowDecision> = hasOnly(
  { kind: isOneOf(DECISION_KINDS) },
  { policy: isDigest, rule: isRule },
);

export const passedFields = {
  policy: isDigest,
  rule: isRule,
  shadow: isShadow,
  gate: isText,
  role: isText,
  excluded: isListOf(isText),
};

const isPlanned = hasOnly(
  { plan: isCount, step: isCount, approvers: isCount, useWithinMs: isCount },
  { exclude: isListOf(isOneOf(EXCLUSIONS)) },
);

const isDrawn = hasOnly({ decision: isCount, usesLeft: isCount }, { left: isAmounts });

const isRouteReason: Is<RouteChoice["reason"]> = (value): value is RouteChoice["reason"] =>
  typeof value === "string" && /^(first|condition|fallback:[A-Z_]+)$/.test(value);
const isRoute: Is<RouteChoice> = hasOnly({ index: isCount, reason: isRouteReason });
const isLimit: Is<LimitPassage> = hasOnly({
  name: isText,
  answer: isOneOf(["taken", "away"]),
  waitedMs: isCount,
});

const claimTerms = {
  key: isText,
  digest: isContentDigest,
  effect: isOneOf(CLAIM_EFFECTS),
  reserve: isAmounts,
  deadlineAt: isTime,
};

export const claimedModel: FieldsOf<ClaimedModel> = {
  always: {
    ...claimTerms,
    action: isOneOf(["model"]),
    backend: isText,
    model: isText,
    promptLength: isCount,
    context: isAddedContext,
  },
  sometimes: {
    contextTokens: isCount,
    route: isRoute,
    limit: isLimit,
    filtered: isTrue,
    stripped: isCount,
    outputs: isListOf(isRef),
    periods: isPeriods,
  },
};

export const claimedTool: FieldsOf<ClaimedTool> = {
  always: { ...claimTerms, ...toolFields.always, request: isRef },
  sometimes: {
    ...toolFields.sometimes,
    ...passedFields,
    approval: isCount,
    planned: isPlanned,
    drawn: isDrawn,
    supersedes: isCount,
    held: isText,
    periods: isPeriods,
  },
};

const { gate: _, ...passedWithoutGate } = passedFields;

export const claimedHandoff: FieldsOf<ClaimedHandoff> = {
  always: {
    ...claimTerms,
    action: isOneOf(["handoff"]),
    target: isText,
    child: isText,
    grant: isGrant,
    slice: isDigest,
    proof: isProof,
    bounds: isBounds,
    request: isRef,
  },
  sometimes: {
    ...passedWithoutGate,
    targetVersion: isText,
    committed: isAmounts,
    thread: isGivenThread,
    item: isHandedItem,
    approval: isCount,
    planned: isPlanned,
    periods: isPeriods,
  },
};
