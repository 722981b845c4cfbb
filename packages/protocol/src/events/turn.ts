/** Events of a turn: it starts, may be denied, resumed or wait, and is closed. */
import type { Spending } from "../budget/budget.ts";
import type { ByPeriod } from "../budget/period.ts";
import { CALL_ERROR_CODES } from "../call-error.ts";
import type { Digest } from "../digest.ts";
import type { Grant } from "../grant/grant.ts";
import type { BlobRef } from "../log/blob-ref.ts";
import { TURN_OUTCOMES, type TurnOutcome } from "../outcomes.ts";
import { ISSUERS, type Issuer } from "../receipt/public-key.ts";
import type { GuidanceRef } from "../receipt/statement.ts";
import type { ParentClaim } from "../run/parent-claim.ts";
import type { Trigger } from "../run/trigger.ts";
import {
  type FieldsOf,
  hasOnly,
  type Is,
  isCount,
  isListOf,
  isNullOr,
  isOneOf,
  isText,
  isTrue,
} from "../shape.ts";
import { type ContextEntry, isEntry } from "./added-context.ts";
import { isGrant, isGuidanceRef, isParentClaim, isSpending, isTrigger } from "./documents.ts";
import { isDigest, isPeriods, isRef, isTime } from "./fields.ts";

export type TurnStarted = {
  /** The meaning that it is run by: another is not resumed. */
  readonly semantics: number;
  /** The same in every attempt. */
  readonly key: string;
  readonly loop: string;
  readonly version: string;
  readonly grant: Grant;
  /** The spending of the run before it. */
  readonly spending: Spending;
  /** The receipt of the turn before, by id. */
  readonly previousReceipt: string | null;
  readonly input: BlobRef;
  /** The files that its input names. */
  readonly files?: readonly BlobRef[];
  /** The event that set it going. */
  readonly trigger?: Trigger;
  /** The people who did, by id. */
  readonly starters?: readonly string[];
  readonly rules?: RulesOfTurn;
  /** The claim of the run that started this one. */
  readonly parent?: ParentClaim;
  /** The periods in which it counts, where the grant has caps for some. */
  readonly periods?: ByPeriod<string>;
  /** The documents for the turn. */
  readonly guidance?: readonly GuidanceRef[];
  /** True when it goes on where the turn before ran out of rounds, with no new words. */
  readonly continues?: true;
};

/** The digests of the rules that it is judged by: the run's own, and those of its day. */
export interface RulesOfTurn {
  readonly pinned?: Digest;
  readonly current?: Digest;
}

/** Why a turn may not run at all: a closed set. */
export const TURN_DENIALS = ["grant-expired", "budget-exhausted", "guidance-changed"] as const;

export type TurnDenied = { readonly reason: (typeof TURN_DENIALS)[number] };

/** How often it was resumed since it last got any further. */
export type TurnResumed = { readonly resumes: number };

/**
 * The event that moves a waiting turn: a person's answer or another run, a signal, or only time.
 */
export const WAITED_FOR = ["person", "signal", "time"] as const;

export type TurnWaiting = {
  readonly for: (typeof WAITED_FOR)[number];
  /** When to look again: unless it is for time, the first at which something runs out. */
  readonly until?: string;
  /** The signals that it waits for. */
  readonly signals?: readonly string[];
  /** When a part of it goes on by itself, where another waits for a person or a signal. */
  readonly wakesAt?: string;
  /** Signals up to this event were compared with the waits that it waits for. */
  readonly heard?: number;
};

/** Why a turn did not complete: a closed set. */
export const CLOSE_REASONS = [
  ...CALL_ERROR_CODES,
  "approval-rejected",
  "approval-expired",
  "drifted",
  "stalled",
  "withdrawn",
] as const;
export type CloseReason = (typeof CLOSE_REASONS)[number];

export type TurnClosed = {
  readonly outcome: TurnOutcome;
  readonly reason?: CloseReason;
  /** For an exceeded budget: in which unit. */
  readonly unit?: string;
  /** True when its root prompt ran out of its own rounds. */
  readonly ranOut?: true;
  /** The spending of the run after it. */
  readonly spending: Spending;
  /** The key that signs its receipt. */
  readonly key: { readonly id: string; readonly issuer: Issuer };
  readonly output?: BlobRef;
  /** The ends of the threads that it went on with. */
  readonly threads?: readonly ThreadEnd[];
};

/** A thread at the end of a turn. */
export interface ThreadEnd {
  /** A place in the definition, or a name. */
  readonly thread: string;
  /** The digest of the whole of it, as the next request names it. */
  readonly head: string;
  /** The number of the first entry in `added`. */
  readonly at: number;
  /** The entries after its last request. */
  readonly added: readonly ContextEntry[];
  /** The event from which on its entries are shown; without it, this one. */
  readonly since?: number;
  /** Tokens that a provider counted for 1,000 estimated ones, where it counted more. */
  readonly ratio?: number;
  /** True when the provider refused the last request. */
  readonly refused?: true;
}

const isRules: Is<RulesOfTurn> = hasOnly({}, { pinned: isDigest, current: isDigest });
const isSigner = hasOnly({ id: isText, issuer: isOneOf(ISSUERS) });
const isThreadEnd: Is<ThreadEnd> = hasOnly(
  { thread: isText, head: isText, at: isCount, added: isListOf(isEntry) },
  { since: isCount, ratio: isCount, refused: isTrue },
);

export const turnStarted: FieldsOf<TurnStarted> = {
  always: {
    semantics: isCount,
    key: isText,
    loop: isText,
    version: isText,
    grant: isGrant,
    spending: isSpending,
    previousReceipt: isNullOr(isText),
    input: isRef,
  },
  sometimes: {
    files: isListOf(isRef),
    trigger: isTrigger,
    starters: isListOf(isText),
    rules: isRules,
    parent: isParentClaim,
    periods: isPeriods,
    guidance: isListOf(isGuidanceRef),
    continues: isTrue,
  },
};

export const turnDenied: FieldsOf<TurnDenied> = {
  always: { reason: isOneOf(TURN_DENIALS) },
  sometimes: {},
};

export const turnResumed: FieldsOf<TurnResumed> = {
  always: { resumes: isCount },
  sometimes: {},
};

export const turnWaiting: FieldsOf<TurnWaiting> = {
  always: { for: isOneOf(WAITED_FOR) },
  sometimes: { until: isTime, signals: isListOf(isText), wakesAt: isTime, heard: isCount },
};

export const turnClosed: FieldsOf<TurnClosed> = {
  always: { outcome: isOneOf(TURN_OUTCOMES), spending: isSpending, key: isSigner },
  sometimes: {
    reason: isOneOf(CLOSE_REASONS),
    unit: isText,
    ranOut: isTrue,
    output: isRef,
    threads: isListOf(isThreadEnd),
  },
};
