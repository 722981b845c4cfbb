/** Why a model did not answer, in words, and what to do about it. */
import type { TurnReport } from "@turnseal/host";
import type { ModelErrorCode } from "@turnseal/ports";

export interface Cause {
  readonly words: string;
  readonly next: string;
}

const causes: Readonly<Record<ModelErrorCode, Cause>> = {
  MODEL_ABORTED: { words: "the request was aborted", next: "run it again" },
  MODEL_ANSWER_BROKEN: {
    words: "the connection was lost in the middle of an answer",
    next: "run it again; if it persists, check the provider's status",
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
    next: "run it again; if it persists, use another model",
  },
  MODEL_FAILED: {
    words: "the provider failed, or did not answer in time",
    next: "check the provider's status, then run it again",
  },
  MODEL_NOT_FOUND: {
    words: "the provider does not have this model, or the account has no access to it",
    next: "correct backend.model of the loop, or the URL",
  },
  MODEL_NOT_INSTALLED: {
    words: "the provider's package is not installed here",
    next: "npm install it next to the loops: packages/adapters lists the names",
  },
  MODEL_RATE_LIMITED: {
    words: "the provider limits the rate, or the quota is used up",
    next: "wait, or raise the quota; then run it again",
  },
  MODEL_REFUSED: {
    words: "the provider does not accept the request: malformed, too long, or against its rules",
    next: "change the prompt or its settings",
  },
  MODEL_UNAUTHORIZED: {
    words: "authentication failed: the key is missing, wrong or not allowed to do this",
    next: "set the provider's key in the environment, then run it again",
  },
  MODEL_UNREACHABLE: {
    words: "the provider could not be reached: no connection",
    next: "check the URL and the network, then run it again",
  },
};

/** Undefined where the failure has no class that we know. */
export function describeCause(cause: TurnReport["cause"]): Cause | undefined {
  if (cause === undefined || !Object.hasOwn(causes, cause.failure)) return undefined;
  const { words, next } = causes[cause.failure as ModelErrorCode];
  return { words: `${cause.model}: ${cause.failure}, ${words}`, next };
}
