/**
 * The end of an effect on the world: settled; or unknown, and later resolved by a person or the
 * kernel.
 */
import type { Amounts } from "../budget/budget.ts";
import type { ByPeriod } from "../budget/period.ts";
import type { RetryAdvice } from "../error.ts";
import type { BlobRef } from "../log/blob-ref.ts";
import { RESOLUTIONS, type Resolution } from "../resolutions.ts";
import {
  type FieldsOf,
  hasOnly,
  type Is,
  isCount,
  isHash,
  isListOf,
  isOneOf,
  isText,
  isTrue,
} from "../shape.ts";
import { type ArtifactChanges, areArtifactChanges } from "./artifact.ts";
import { isAmounts, isPeriods, isRef } from "./fields.ts";

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

/** The facts of a model's answer beside its content. */
export type ModelAnswerFacts = {
  readonly action: "model";
  /** Left out where the provider did not say. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** Of the input, what a cache of the provider held, and what was put into one. */
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Of the output, thoughts. */
  readonly reasoningTokens?: number;
  /** Why the counts are not believed: then what was reserved counts. */
  readonly usage?: "missing" | "zero";
  readonly finishReason?: string;
  /** The name that the provider says answered. */
  readonly answeredBy?: string;
  /** True if another model answered than the requested one. */
  readonly drift?: true;
  /** Tools that the answer asks for in vain, by the place of the part in its content. */
  readonly toolErrors?: readonly ToolAskError[];
  readonly reasoning?: readonly ReasoningTime[];
  /** The files that the answer has. */
  readonly files?: readonly BlobRef[];
};

export type ToolAnswerFacts = {
  readonly action: "tool";
  /** Why its output cannot be kept. */
  readonly refused?: string;
  /** The files that it made, and that its output names. */
  readonly files?: readonly BlobRef[];
  /** Its changes of the managed files of the run. */
  readonly artifacts?: ArtifactChanges;
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
  /** The error text of the failed tool or provider. */
  readonly reason?: BlobRef;
}

interface ActFailure {
  /** The class of a failure of a model, where it has one. */
  readonly failure?: string;
  /** How long a provider asks to be left alone, where it says so. */
  readonly retryAfterMs?: number;
  /** The retry advice of the failure. */
  readonly retry?: Exclude<RetryAdvice, "never">;
}

export type SettledModel = ModelAnswerFacts & Settlement & ActFailure;

export type SettledTool = ToolAnswerFacts &
  Settlement &
  ActFailure & {
    /** The output that the tool showed while it ran, and a mark if it was cut. */
    readonly output?: BlobRef;
    readonly outputCut?: true;
    /** The question that it needs an answer to: then it did nothing. */
    readonly asks?: BlobRef;
  };

export type SettledHandoff = Omit<Settlement, "status"> & {
  readonly action: "handoff";
  readonly status: Extract<SettledStatus, "ok" | "failed">;
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

export const UNKNOWN_STATUSES = [
  "timed-out",
  "cancelled",
  "failed",
  "orphaned",
  "withdrawn",
] as const;

export type ActionUnknown = {
  readonly action: (typeof ACTIONS)[number];
  readonly key: string;
  readonly claim: number;
  readonly name: string;
  /**
   * How it was left; `orphaned` where its worker is gone, `withdrawn` where others of its fan-out
   * decided without it: nothing waits for it.
   */
  readonly status: (typeof UNKNOWN_STATUSES)[number];
  readonly reason?: BlobRef;
};

export type ActionResolved = {
  readonly key: string;
  readonly claim: number;
  readonly resolution: Resolution;
  readonly reserve: Amounts;
  /** For a person's resolution: the hash of the claim that they saw. */
  readonly claimHash?: string;
  /** Their roles, where the claim has a role. */
  readonly roles?: readonly string[];
  readonly result?: BlobRef;
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

const isToolAskError: Is<ToolAskError> = hasOnly({
  part: isCount,
  error: isOneOf(TOOL_ASK_ERRORS),
});
const isReasoningTime: Is<ReasoningTime> = hasOnly({ part: isCount, durationMs: isCount });

export const settledModel: FieldsOf<SettledModel> = {
  always: { ...settlement, action: isOneOf(["model"]) },
  sometimes: {
    ...ending,
    ...failing,
    inputTokens: isCount,
    outputTokens: isCount,
    cacheReadTokens: isCount,
    cacheWriteTokens: isCount,
    reasoningTokens: isCount,
    usage: isOneOf(["missing", "zero"]),
    finishReason: isText,
    answeredBy: isText,
    drift: isTrue,
    toolErrors: isListOf(isToolAskError),
    reasoning: isListOf(isReasoningTime),
    files: isListOf(isRef),
  },
};

export const settledTool: FieldsOf<SettledTool> = {
  always: { ...settlement, action: isOneOf(["tool"]) },
  sometimes: {
    ...ending,
    ...failing,
    refused: isText,
    files: isListOf(isRef),
    artifacts: areArtifactChanges,
    output: isRef,
    outputCut: isTrue,
    asks: isRef,
  },
};

export const settledHandoff: FieldsOf<SettledHandoff> = {
  always: { ...settlement, action: isOneOf(["handoff"]), status: isOneOf(["ok", "failed"]) },
  sometimes: { ...ending, stopped: isText, undelivered: isText, receipt: isText, turns: isCount },
};

export const actionUnknown: FieldsOf<ActionUnknown> = {
  always: {
    action: isOneOf(ACTIONS),
    key: isText,
    claim: isCount,
    name: isText,
    status: isOneOf(UNKNOWN_STATUSES),
  },
  sometimes: { reason: isRef },
};

export const actionResolved: FieldsOf<ActionResolved> = {
  always: { key: isText, claim: isCount, resolution: isOneOf(RESOLUTIONS), reserve: isAmounts },
  sometimes: { claimHash: isHash, roles: isListOf(isText), result: isRef },
};
