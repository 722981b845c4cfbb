import {
  isUnprocessedFailure,
  LoopError,
  type RetryAdvice,
  readErrorFacts,
} from "@turnseal/protocol";

export const MODEL_ERROR_CODES = [
  "MODEL_ABORTED",
  "MODEL_ANSWER_BROKEN",
  "MODEL_ANSWER_INVALID",
  "MODEL_ANSWER_TOO_LARGE",
  "MODEL_ANSWER_UNFINISHED",
  "MODEL_FAILED",
  "MODEL_NOT_FOUND",
  "MODEL_NOT_INSTALLED",
  "MODEL_RATE_LIMITED",
  "MODEL_REFUSED",
  "MODEL_UNAUTHORIZED",
  "MODEL_UNAVAILABLE",
  "MODEL_UNREACHABLE",
] as const;
export type ModelErrorCode = (typeof MODEL_ERROR_CODES)[number];

/** True for a failure after which nothing has to be paid for. */
export function isUnprocessed(error: unknown): boolean {
  return isUnprocessedFailure(readErrorFacts(error).code);
}

/**
 * A provider that did not answer as asked. The message names the provider and the status, never the
 * prompt or a key.
 */
export class ModelError extends LoopError<ModelErrorCode> {
  /** How long the provider asks to be left alone, when it says so. */
  readonly retryAfterMs: number | undefined;

  constructor(input: {
    code: ModelErrorCode;
    retry: RetryAdvice;
    message: string;
    cause?: unknown;
    retryAfterMs?: number;
  }) {
    super(input);
    this.retryAfterMs = input.retryAfterMs;
  }
}
