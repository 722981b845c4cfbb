/** Why a model did not answer, in words, and what to do about it. */

import { type Parked, type RunProjection, waitsForProvider } from "@turnseal/folds";
import type { ModelErrorCode } from "@turnseal/protocol";

/** A model request that failed: `backend/model`, and the class of its failure. */
export interface FailedRequest {
  readonly model: string;
  readonly failure: string;
}

export interface Cause {
  readonly words: string;
  readonly next: string;
}

const causes: Readonly<Record<ModelErrorCode | "TIMEOUT", Cause>> = {
  TIMEOUT: {
    words: "the provider did not answer in time",
    next: "check the provider's status, or raise policy.timeoutMs of the loop",
  },
  MODEL_ABORTED: { words: "the request was aborted", next: "run it again" },
  MODEL_ANSWER_BROKEN: {
    words: "the connection was lost in the middle of an answer",
    next: "if it persists, check the provider's status",
  },
  MODEL_ANSWER_INVALID: {
    words: "the provider sent something that is not an answer",
    next: "check that the URL is that of an API; if it persists, use another model",
  },
  MODEL_ANSWER_TOO_LARGE: {
    words: "the answer is larger than allowed",
    next: "ask for less, or lower maxTokens of the prompt",
  },
  MODEL_ANSWER_UNFINISHED: {
    words: "the answer ended without saying that it is complete",
    next: "if it persists, check that the URL is that of an API, or use another model",
  },
  MODEL_FAILED: {
    words: "the connection was lost, or no answer came in time",
    next: "check the provider's status",
  },
  MODEL_NOT_FOUND: {
    words: "the provider does not have this model, or the account has no access to it",
    next: "correct backend.model of the loop, or the URL",
  },
  MODEL_NOT_INSTALLED: {
    words: "the provider's package is not installed here, or a bundler left it out",
    next:
      "npm install it next to the loops; in Next.js also name turnseal in serverExternalPackages " +
      "of next.config",
  },
  MODEL_RATE_LIMITED: {
    words: "the provider limits the rate, or the quota is used up",
    next: "wait, or raise the quota",
  },
  MODEL_REFUSED: {
    words: "the provider does not accept the request: malformed, too long, or against its rules",
    next: "change the prompt or its settings",
  },
  MODEL_UNAUTHORIZED: {
    words: "authentication failed: the key is missing, wrong or not allowed to do this",
    next: "set the provider's key in the environment",
  },
  MODEL_UNAVAILABLE: {
    words: "the provider's servers answered with an error",
    next: "check the provider's status",
  },
  MODEL_UNREACHABLE: {
    words: "the provider could not be reached: no connection",
    next: "check the URL and the network",
  },
};

/** Undefined where the failure has no class that we know. */
export function describeCause(cause: FailedRequest | undefined): Cause | undefined {
  const described = cause === undefined ? undefined : describeFailure(cause.failure);
  if (cause === undefined || described === undefined) return undefined;
  return { ...described, words: `${cause.model}: ${described.words}` };
}

const turnCauses: Readonly<Record<string, Cause>> = {
  OUTPUT_VALIDATION_FAILED: {
    words: "an answer does not fit the output schema of its loop",
    next:
      "start it again; if it persists, set outputRepairs of the prompt to 1, simplify the " +
      "schema, or use a model that keeps to one",
  },
};

/** Why a turn failed whose provider did answer; undefined for other codes. */
export function describeTurnFailure(code: string | null): Cause | undefined {
  if (code === null || !Object.hasOwn(turnCauses, code)) return undefined;
  const cause = turnCauses[code];
  return cause && { ...cause, words: `${code}: ${cause.words}` };
}

/** The class, and what it means; undefined for a class that we do not know. */
export function describeFailure(failure: string): Cause | undefined {
  if (!Object.hasOwn(causes, failure)) return undefined;
  const { words, next } = causes[failure as keyof typeof causes];
  return { words: `${failure}, ${words}`, next };
}

/** The provider that a run waits for. */
export interface AwaitedProvider extends FailedRequest {
  /** The failure in words, and what to do about it. */
  readonly words: string;
  readonly next: string;
  /** ISO 8601: since when, and when it is asked again; absent when only a person can help. */
  readonly since: string;
  readonly until?: string;
  /** Why it is not asked again without a person; absent where `until` says when it is. */
  readonly parked?: Parked & { readonly words: string };
  /** The actions that the next try repeats, since the turn begins again: absent for none. */
  readonly repeats?: readonly string[];
}

/** The provider that a run waits for between two turns; undefined where it waits for none. */
export function findAwaitedProvider(projection: RunProjection): AwaitedProvider | undefined {
  const outage = projection.lastTurn?.outage;
  if (outage === undefined || !waitsForProvider(projection)) return undefined;
  const { model, failure, since, until, parked, repeats } = outage;
  const { words, next } = describeCause(outage) ?? { words: failure, next: "" };
  return {
    ...{ model, failure, words, next, since },
    ...(until === undefined ? {} : { until }),
    ...(parked === undefined ? {} : { parked: { ...parked, words: describeParked(parked) } }),
    ...(repeats === undefined ? {} : { repeats }),
  };
}

/**
 * The code of a turn that failed, and whose message was given up; undefined where the last message
 * was answered, or another turn has begun.
 */
export function findGivenUp({ lastTurn, openTurn, stopped }: RunProjection): string | undefined {
  if (stopped !== null || openTurn !== null || lastTurn?.isGivenUp !== true) return undefined;
  return lastTurn.reason ?? lastTurn.outcome;
}

/** Why a run is parked, as a clause. */
function describeParked(parked: Parked): string {
  switch (parked.kind) {
    case "closed":
      return "the provider takes no request before the cause is mended";
    case "time-over":
      return "the time for retries (retryForMs) is over";
    case "asked-longer":
      return "the provider asks for a longer pause than retryForMs allows";
    case "repeats":
      return "the turn would start anew and do again what it did";
    case "budget": {
      const { unit, period } = parked;
      const budget = period === undefined ? "the budget" : `the budget of the ${period}`;
      return unit === "turns"
        ? `${budget} has one turn left, which is kept for you`
        : `${budget} has no room for one more request (${unit})`;
    }
  }
}
