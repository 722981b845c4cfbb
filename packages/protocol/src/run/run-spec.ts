import type { JsonValue } from "../canonical-json.ts";
import type { Digest } from "../digest.ts";
import type { Grant } from "../grant/grant.ts";
import type { PinnedGuidance } from "../guidance/guidance.ts";
import { CACHE_STRATEGIES, type CacheStrategy } from "../loop/cache-spec.ts";
import type { Mapping } from "../loop/mapping.ts";
import type { Refinements } from "../loop/refinement.ts";
import type { ValueCondition } from "../loop/value-condition.ts";
import type { RollbackCause } from "../outcomes.ts";
import type { Rejection } from "../policy/policy.ts";
import type { ParentClaim } from "./parent-claim.ts";

/** The specification of a run: its loop, goal, grant and bounds. Fixed when it starts. */
export interface RunSpec {
  readonly loop: string;
  readonly version: string;
  readonly grant: Grant;
  readonly bounds: RunBounds;
  readonly pinned: PinnedReferences;
  /** The rules that its actions are judged by; without any, the grant alone decides. */
  readonly policy?: { readonly name: string; readonly digest: Digest };
  /** The claim of the run that started this one. */
  readonly parent?: ParentClaim;
  /** With a parent: the sum that it, and the runs above it, had committed before the handoff. */
  readonly committed?: Grant["budget"];
  /** With a parent: the people who set the turn going that hands to this run, by id. */
  readonly starters?: readonly string[];
  /** The turn of another run whose input this one began with. */
  readonly forkedFrom?: ForkedFrom;
  /** Documents for every turn, by digest. */
  readonly guidance?: readonly PinnedGuidance[];
}

/**
 * A turn of another run, with its receipt if it was closed by then. The fork inherits no grant from
 * it.
 */
export interface ForkedFrom {
  readonly run: string;
  readonly turn: number;
  readonly receipt?: string;
}

/**
 * Every reference that can be reached, as it was resolved when the run started: by `id version`, or
 * `id` without a version.
 */
export type PinnedReferences = Readonly<Record<string, PinnedLoop>>;

export interface PinnedLoop {
  readonly id: string;
  readonly version: string;
  readonly digest: Digest;
  /**
   * The sides of the loop that refinements were bound to where the run was started: it needs them
   * to go on.
   */
  readonly refined?: readonly (keyof Refinements)[];
  /** Where what its calls gave is kept; absent if it is not. */
  readonly cache?: KeptCalls;
}

/** Where what a loop's calls gave is kept, where it is. */
export type KeptCalls = Exclude<CacheStrategy, "none">;

export const KEPT_STRATEGIES: readonly KeptCalls[] = CACHE_STRATEGIES.filter(
  (strategy) => strategy !== "none",
);

/** The name under which a reference is pinned. */
export function referenceName(id: string, version: string | undefined): string {
  return version === undefined ? id : `${id} ${version}`;
}

/** The roots of paths and expressions in `nextInput` (spec/run.md §1.6). */
export const NEXT_INPUT_ROOTS = ["input", "output", "turn", "signals"] as const;

/** The bounds of the loop around turns: defaults are filled in when the run starts, and shown. */
export interface RunBounds {
  /** Absent if each turn waits for a signal, and no number was given: the signals are the bound. */
  readonly turnsMax?: number;
  /**
   * Failed turns in a row before the run stops as failed; a turn after a failed one is its retry.
   */
  readonly failuresMax: number;
  /** Resumes of one turn without a new event of its own before it ends as failed. */
  readonly resumesMax: number;
  /** ISO 8601: from then on no turn starts. */
  readonly deadlineAt?: string;
  /** The run has reached its goal when this holds; without it, when a turn completes. */
  readonly goal?: Goal;
  /**
   * How the input of the turns after the first is built. Without it, each turn has the run's input.
   */
  readonly nextInput?: Mapping;
  /**
   * How long a provider that is away is waited for before the run is parked;
   * `RETRY_FOR_MS_DEFAULT` without it.
   */
  readonly retryForMs?: number;
  /**
   * The effect of a turn whose root prompt ran out of rounds: `continue` begins another, which goes
   * on in the same thread without new words. Without it the run stops.
   */
  readonly onRoundsExhausted?: "stop" | "continue";
  /**
   * The effect of a turn that failed and is not tried again: `wait` gives its message up and waits
   * for the next. A conversation has `wait` by default; `stop` if absent.
   */
  readonly onFailure?: "stop" | "wait";
  /**
   * The effect of a rejection, unless the rule or the tool names one. A conversation has `tell` by
   * default; `stop` if absent.
   */
  readonly onReject?: Rejection;
  /** True if no turn begins while a file that the run manages is not what it recorded. */
  readonly noDrift?: boolean;
  /**
   * Stop reasons for which the host asks for its rollback; by default those of its loop or its
   * plan.
   */
  readonly rollbackOn?: readonly RollbackCause[];
  /** How many of the latest turns are summarised for each turn; none if absent. */
  readonly summaries?: number;
  /**
   * Names of signals. Each turn after the first begins with one of them, in the order in which they
   * were received; until there is one, the run waits. The names of schedules are always among them.
   */
  readonly awaits?: readonly string[];
  /** Signals that the host itself gives, at set times. */
  readonly schedules?: readonly Schedule[];
}

/** The times of a signal, and its payload. */
export interface Schedule {
  /** The name of the signal. */
  readonly name: string;
  /** Minute, hour, day of the month, month and day of the week, such as `0 9 * * 1-5`. */
  readonly cron: string;
  /** A name of the IANA database, such as `Europe/Berlin`; UTC by default. */
  readonly timezone?: string;
  /** Null by default. */
  readonly payload?: JsonValue;
}

/** A condition on the validated output of a turn. */
export type Goal = ValueCondition;

export const TURNS_MAX_DEFAULT = 8;
export const FAILURES_MAX_DEFAULT = 1;
export const RESUMES_MAX_DEFAULT = 20;
export const RETRY_FOR_MS_DEFAULT = 10 * 60 * 1000;
/** The longest that a run may say to wait for a provider. */
export const RETRY_FOR_MS_MAX = 7 * 24 * 60 * 60 * 1000;
