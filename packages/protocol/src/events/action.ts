/**
 * One effect on the world: claimed before it happens, settled after, unknown where nobody can tell,
 * and resolved by whoever can.
 */
import type { Amounts } from "../budget/budget.ts";
import type { ByPeriod } from "../budget/period.ts";
import type { Digest } from "../digest.ts";
import type { RetryAdvice } from "../error.ts";
import type { Proof } from "../grant/compare-grants.ts";
import type { Grant } from "../grant/grant.ts";
import type { NamedNeed } from "../grant/needs.ts";
import type { BlobRef, ContentDigest } from "../log/blob-ref.ts";
import type { Decision, RuleReference } from "../policy/decision.ts";
import { EFFECTS } from "../run/outcomes.ts";
import { RESOLUTIONS, type Resolution } from "../run/resolutions.ts";
import type { RunBounds } from "../run/run-spec.ts";
import {
  type ContentFields,
  isAmounts,
  isContentDigest,
  isCount,
  isDigest,
  isDocument,
  isHash,
  isListOf,
  isOneOf,
  isPeriods,
  isRef,
  isText,
  isTime,
  isTrue,
} from "./fields.ts";

/** What an action declares about being done twice: a model may simply be asked again. */
export const CLAIM_EFFECTS = [...EFFECTS, "repeatable"] as const;
export type ClaimEffect = (typeof CLAIM_EFFECTS)[number];

/** What is claimed of a request to a model. */
export type ModelFacts = {
  readonly action: "model";
  readonly backend: string;
  readonly model: string;
  /** UTF-16 units of the rendered prompt without the system prompt. */
  readonly promptLength: number;
  /** Tokens of the request by estimate, where they are limited. */
  readonly contextTokens?: number;
  /** Which of the routes of the prompt this is, and why it was chosen. */
  readonly route?: RouteChoice;
  readonly limit?: LimitPassage;
  /** True when filters look at the output before anybody else does. */
  readonly filtered?: true;
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

/** What is claimed of the execution of a tool. */
export type ToolFacts = {
  readonly action: "tool";
  readonly tool: string;
  /** A name for the tool's code. */
  readonly build: string;
  /** The entry of the grant under which it is executed. */
  readonly term: string;
  /** What it needed of terms over resources, and the terms that it was admitted under, by id. */
  readonly needs?: readonly NamedNeed[];
  readonly terms?: readonly string[];
  /** The names of the secrets that it is given, and that its answer is cleared of. */
  readonly secrets?: readonly string[];
};

/** What is claimed of a handoff: who is started, and under what. */
export type HandoffFacts = {
  readonly action: "handoff";
  readonly target: string;
  readonly targetVersion?: string;
  readonly bounds: RunBounds;
  /** The part of the grant that the other run is given, its digest, and the proof. */
  readonly grant: Grant;
  readonly slice: Digest;
  readonly proof: Proof;
};

/** What a request to a model adds to the conversation; what came before is named by one digest. */
export interface AddedContext {
  readonly previous: string | null;
  readonly added: readonly ContextEntry[];
  readonly strategy: "append" | "leave-out";
  /** Digests of what was said before, and is left out from this request on. */
  readonly leftOut?: readonly string[];
}

export interface ContextEntry extends BlobRef {
  readonly role: "system" | "user" | "assistant" | "tool";
  /** For the result of a tool. */
  readonly toolCallId?: string;
}

/** How rules and people let an action through. */
export type PassedFacts = {
  /** The policy that decided, and its rule. */
  readonly policy?: Digest;
  readonly rule?: RuleReference;
  /** What rules on trial would decide. */
  readonly shadow?: ShadowDecision;
  /** Why the tool's own gate let it through. */
  readonly gate?: string;
  /** The request under which it is claimed, by its sequence number. */
  readonly approval?: number;
  /** Who could approve it, and who could not. */
  readonly role?: string;
  readonly excluded?: readonly string[];
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
  };

export type ClaimedHandoff = HandoffFacts &
  ClaimTerms &
  Omit<PassedFacts, "gate"> & {
    readonly request: BlobRef;
    /** The run that is started. */
    readonly child: string;
  };

export type ActionClaimed = ClaimedModel | ClaimedTool | ClaimedHandoff;

export const SETTLED_STATUSES = ["ok", "failed", "timed-out", "cancelled"] as const;
export type SettledStatus = (typeof SETTLED_STATUSES)[number];

/** Why a tool that a model asked for is not called. */
export const TOOL_ASK_ERRORS = ["TOOL_UNKNOWN", "ARGUMENTS_NOT_JSON", "CALL_ID_REPEATED"] as const;

export interface ToolAskError {
  readonly part: number;
  readonly error: (typeof TOOL_ASK_ERRORS)[number];
}

/** How long a model wrote at one thought, by the place of the thought in the answer. */
export interface ReasoningTime {
  readonly part: number;
  readonly durationMs: number;
}

/** What is known of a model's answer beside its content. */
export type ModelAnswerFacts = {
  readonly action: "model";
  /** Left out where the provider did not say. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Why the counts are not believed: then what was reserved counts. */
  readonly usage?: "missing" | "zero";
  readonly finishReason?: string;
  /** The name that the provider says answered. */
  readonly answeredBy?: string;
  /** True when that is not the model that was asked. */
  readonly drift?: true;
  /** Tools that the answer asks for in vain, by the place of the part in its content. */
  readonly toolErrors?: readonly ToolAskError[];
  readonly reasoning?: readonly ReasoningTime[];
};

export type ToolAnswerFacts = {
  readonly action: "tool";
  /** Why its output cannot be kept. */
  readonly refused?: string;
};

interface Settlement {
  readonly key: string;
  /** The claim, by its sequence number. */
  readonly claim: number;
  readonly status: SettledStatus;
  readonly durationMs: number;
  readonly reserve: Amounts;
  readonly spent: Amounts;
  /** As its claim has them. */
  readonly periods?: ByPeriod<string>;
  readonly result?: BlobRef;
  /** The words of whoever failed. */
  readonly reason?: BlobRef;
}

interface ActFailure {
  /** The class of a failure of a model, where it has one. */
  readonly failure?: string;
  /** How long a provider asks to be left alone, where it says so. */
  readonly retryAfterMs?: number;
  /** What whoever failed advised. */
  readonly retry?: Exclude<RetryAdvice, "never">;
}

export type SettledModel = ModelAnswerFacts & Settlement & ActFailure;

export type SettledTool = ToolAnswerFacts &
  Settlement &
  ActFailure & {
    /** What the tool showed while it ran, and that it is not all of it. */
    readonly output?: BlobRef;
    readonly outputCut?: true;
  };

export type SettledHandoff = Settlement & {
  readonly action: "handoff";
  /** Why that run stopped. */
  readonly stopped?: string;
  /** Why it could not even be started. */
  readonly undelivered?: string;
  /** Its last receipt, and how many turns it closed, where they are known. */
  readonly receipt?: string;
  readonly turns?: number;
};

export type ActionSettled = SettledModel | SettledTool | SettledHandoff;

export const ACTIONS = ["model", "tool", "handoff"] as const;

export const UNKNOWN_STATUSES = ["timed-out", "cancelled", "failed", "orphaned"] as const;

export type ActionUnknown = {
  readonly action: (typeof ACTIONS)[number];
  readonly key: string;
  readonly claim: number;
  readonly name: string;
  /** How it was left; `orphaned` where its worker is gone. */
  readonly status: (typeof UNKNOWN_STATUSES)[number];
  readonly reason?: BlobRef;
};

export type ActionResolved = {
  readonly key: string;
  readonly claim: number;
  readonly resolution: Resolution;
  readonly reserve: Amounts;
  /** Where a person said it: the hash of the claim that they were shown. */
  readonly claimHash?: string;
  /** Their roles, where the claim has a role. */
  readonly roles?: readonly string[];
  readonly result?: BlobRef;
};

export const toolFields: ContentFields<ToolFacts> = {
  always: { action: isOneOf(["tool"]), tool: isText, build: isText, term: isText },
  sometimes: {
    needs: isListOf(isDocument<NamedNeed>()),
    terms: isListOf(isText),
    secrets: isListOf(isText),
  },
};

export const passedFields = {
  policy: isDigest,
  rule: isDocument<RuleReference>(),
  shadow: isDocument<ShadowDecision>(),
  gate: isText,
  role: isText,
  excluded: isListOf(isText),
};

const claimTerms = {
  key: isText,
  digest: isContentDigest,
  effect: isOneOf(CLAIM_EFFECTS),
  reserve: isAmounts,
  deadlineAt: isTime,
};

export const claimedModel: ContentFields<ClaimedModel> = {
  always: {
    ...claimTerms,
    action: isOneOf(["model"]),
    backend: isText,
    model: isText,
    promptLength: isCount,
    context: isDocument(),
  },
  sometimes: {
    contextTokens: isCount,
    route: isDocument(),
    limit: isDocument(),
    filtered: isTrue,
    outputs: isListOf(isRef),
    periods: isPeriods,
  },
};

export const claimedTool: ContentFields<ClaimedTool> = {
  always: { ...claimTerms, ...toolFields.always, request: isRef },
  sometimes: {
    ...toolFields.sometimes,
    ...passedFields,
    approval: isCount,
    supersedes: isCount,
    periods: isPeriods,
  },
};

const { gate: _, ...passedWithoutGate } = passedFields;

export const claimedHandoff: ContentFields<ClaimedHandoff> = {
  always: {
    ...claimTerms,
    action: isOneOf(["handoff"]),
    target: isText,
    child: isText,
    grant: isDocument(),
    slice: isDigest,
    proof: isDocument(),
    bounds: isDocument(),
    request: isRef,
  },
  sometimes: { ...passedWithoutGate, targetVersion: isText, approval: isCount, periods: isPeriods },
};

const settlement = {
  key: isText,
  claim: isCount,
  status: isOneOf(SETTLED_STATUSES),
  durationMs: isCount,
  reserve: isAmounts,
  spent: isAmounts,
};
const ending = { periods: isPeriods, result: isRef, reason: isRef };
const failing = {
  failure: isText,
  retryAfterMs: isCount,
  retry: isOneOf(["retry", "pause"]),
};

export const settledModel: ContentFields<SettledModel> = {
  always: { ...settlement, action: isOneOf(["model"]) },
  sometimes: {
    ...ending,
    ...failing,
    inputTokens: isCount,
    outputTokens: isCount,
    usage: isOneOf(["missing", "zero"]),
    finishReason: isText,
    answeredBy: isText,
    drift: isTrue,
    toolErrors: isListOf(isDocument<ToolAskError>()),
    reasoning: isListOf(isDocument<ReasoningTime>()),
  },
};

export const settledTool: ContentFields<SettledTool> = {
  always: { ...settlement, action: isOneOf(["tool"]) },
  sometimes: { ...ending, ...failing, refused: isText, output: isRef, outputCut: isTrue },
};

export const settledHandoff: ContentFields<SettledHandoff> = {
  always: { ...settlement, action: isOneOf(["handoff"]) },
  sometimes: { ...ending, stopped: isText, undelivered: isText, receipt: isText, turns: isCount },
};

export const actionUnknown: ContentFields<ActionUnknown> = {
  always: {
    action: isOneOf(ACTIONS),
    key: isText,
    claim: isCount,
    name: isText,
    status: isOneOf(UNKNOWN_STATUSES),
  },
  sometimes: { reason: isRef },
};

export const actionResolved: ContentFields<ActionResolved> = {
  always: { key: isText, claim: isCount, resolution: isOneOf(RESOLUTIONS), reserve: isAmounts },
  sometimes: { claimHash: isHash, roles: isListOf(isText), result: isRef },
};
