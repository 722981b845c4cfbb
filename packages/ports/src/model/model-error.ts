import {
  isUnprocessedFailure,
  LoopError,
  type ModelErrorCode,
  type RetryAdvice,
  readErrorFacts,
} from "@turnseal/protocol";

/** True for a failure after which nothing has to be paid for. */
export function isUnprocessed(error: unknown): boolean {
  return isUnprocessedFailure(readErrorFacts(error).code);
}

/**
 * A provider that did not answer as asked. The message names the provider and the status, never the
 * prompt or a key.
 */
export class ModelError extends LoopError<ModelErrorCode> {
  /** The pause that the provider asks for, if it does. */
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
