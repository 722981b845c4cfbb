/** Events of a run as a whole: it starts, goes on or waits, is stuck, and stops. */
import type { Actor } from "../actor.ts";
import type { BlobRef } from "../log/blob-ref.ts";
import { BLOCK_CAUSES, type BlockCause, STOP_REASONS, type StopReason } from "../outcomes.ts";
import { LATE_RESOLUTIONS, type LateResolution } from "../resolutions.ts";
import type { RunSpec } from "../run/run-spec.ts";
import {
  type FieldsOf,
  hasOnly,
  type Is,
  isCount,
  isHash,
  isListOf,
  isNullOr,
  isOneOf,
  isText,
  isTrue,
} from "../shape.ts";
import { type ContextEntry, isEntry } from "./added-context.ts";
import { isActor, isSpec } from "./documents.ts";
import { isRef, isTime } from "./fields.ts";

export type RunStarted = {
  /** The key of the message that started it. */
  readonly key: string;
  readonly spec: RunSpec;
  readonly input: BlobRef;
  /** The rules that its actions are judged by. */
  readonly policy?: BlobRef;
  /** The texts of the documents for its turns. */
  readonly guidance?: BlobRef;
  /** The documents of its loops, where they are kept with it. */
  readonly definitions?: BlobRef;
  /** The source of the start, if the starter names one. */
  readonly source?: string;
  /** The threads that it begins with: copies of those of another run. */
  readonly threads?: readonly CopiedThread[];
};

/** A thread of another run, written again under the key of this one. */
export interface CopiedThread {
  /** A place in the definition, or a name. */
  readonly thread: string;
  /** The digest of the whole of it, as the next request names it. */
  readonly head: string;
  /** The number of the first entry in `added`. */
  readonly at: number;
  /** The entries that replace all earlier ones. */
  readonly kept: readonly ContextEntry[];
  readonly added: readonly ContextEntry[];
  /** As at the end of a turn. */
  readonly ratio?: number;
  readonly refused?: true;
}

export const RUN_DECISIONS = ["continue", "wait", "stop"] as const;

/** Why there is another turn, or why the next one is waited for. */
export const GO_ON_REASONS = [
  "first-turn",
  "goal-not-reached",
  "retry-after-failure",
  "rounds-exhausted",
  "signal-received",
  "signal-awaited",
  "provider-awaited",
] as const;

const decideReasons = [...GO_ON_REASONS, ...STOP_REASONS] as const;

export type RunDecided = {
  readonly decision: (typeof RUN_DECISIONS)[number];
  readonly reason: (typeof decideReasons)[number];
  /** The receipt of the last turn, by id. */
  readonly receipt: string | null;
  /** The signal that the next turn begins with. */
  readonly signal?: ConsumedSignal;
  /** When the unavailable provider is asked again; without it the run is parked. */
  readonly until?: string;
};

/** The signal that a turn begins with, as the decision for the turn names it. */
export interface ConsumedSignal {
  readonly sequence: number;
  readonly name: string;
  readonly payload: BlobRef;
  /** Its event, and who sent it. */
  readonly hash: string;
  readonly by: Actor;
}

export type RunBlocked = {
  readonly cause: BlockCause;
  /** The name of what is missing. */
  readonly what: string;
  /** When a limit of the tenant is over. */
  readonly until?: string;
};

export type RunStopped = { readonly reason: StopReason };

/** A person's answer on an unknown action, after the stop. It moves no amount. */
export type RunResolved = {
  readonly key: string;
  /** The claim, by its sequence number. */
  readonly claim: number;
  readonly claimHash: string;
  readonly resolution: LateResolution;
  /** Their roles, where the claim has a role. */
  readonly roles?: readonly string[];
  readonly result?: BlobRef;
};

const isCopiedThread: Is<CopiedThread> = hasOnly(
  {
    thread: isText,
    head: isText,
    at: isCount,
    kept: isListOf(isEntry),
    added: isListOf(isEntry),
  },
  { ratio: isCount, refused: isTrue },
);

const isConsumedSignal: Is<ConsumedSignal> = hasOnly({
  sequence: isCount,
  name: isText,
  payload: isRef,
  hash: isHash,
  by: isActor,
});

export const runStarted: FieldsOf<RunStarted> = {
  always: { key: isText, spec: isSpec, input: isRef },
  sometimes: {
    policy: isRef,
    guidance: isRef,
    definitions: isRef,
    source: isText,
    threads: isListOf(isCopiedThread),
  },
};

export const runDecided: FieldsOf<RunDecided> = {
  always: {
    decision: isOneOf(RUN_DECISIONS),
    reason: isOneOf(decideReasons),
    receipt: isNullOr(isText),
  },
  sometimes: { signal: isConsumedSignal, until: isTime },
};

export const runBlocked: FieldsOf<RunBlocked> = {
  always: { cause: isOneOf(BLOCK_CAUSES), what: isText },
  sometimes: { until: isTime },
};

export const runStopped: FieldsOf<RunStopped> = {
  always: { reason: isOneOf(STOP_REASONS) },
  sometimes: {},
};

export const runResolved: FieldsOf<RunResolved> = {
  always: { key: isText, claim: isCount, claimHash: isHash, resolution: isOneOf(LATE_RESOLUTIONS) },
  sometimes: { roles: isListOf(isText), result: isRef },
};
