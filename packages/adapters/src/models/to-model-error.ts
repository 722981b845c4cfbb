/**
 * Turns whatever a provider throws into a `ModelError`.
 *
 * 1. The error of the AI SDK carries the prompt, the headers and the body of the answer. None of it
 *    is taken over: the message is built from the backend's name, the status and the network code,
 *    and there is no `cause`.
 * 2. The code decides the advice, so the same mishap is always met in the same way.
 * 3. Errors are told apart by name and fields, because `instanceof` fails between two installed
 *    copies of a package.
 */
import { ModelError, type ModelErrorCode } from "@turnseal/ports";
import { ERROR_CHAIN_MAX, type RetryAdvice } from "@turnseal/protocol";

interface FailureContext {
  readonly backend: string;
  readonly isAborted: boolean;
}

const RETRY_ADVICE: Readonly<Record<ModelErrorCode, RetryAdvice>> = {
  MODEL_ABORTED: "never",
  MODEL_ANSWER_INVALID: "retry",
  MODEL_NOT_FOUND: "never",
  MODEL_RATE_LIMITED: "retry",
  MODEL_REFUSED: "never",
  MODEL_UNAUTHORIZED: "pause",
  MODEL_UNREACHABLE: "retry",
};

// What a provider package throws without having had an answer to a request, or after one.
const CODE_BY_NAME: ReadonlyMap<string, ModelErrorCode> = new Map([
  ["AI_LoadAPIKeyError", "MODEL_UNAUTHORIZED"],
  ["AI_LoadSettingError", "MODEL_UNAUTHORIZED"],
  ["AI_NoSuchModelError", "MODEL_NOT_FOUND"],
  ["AI_InvalidArgumentError", "MODEL_REFUSED"],
  ["AI_InvalidPromptError", "MODEL_REFUSED"],
  ["AI_UnsupportedFunctionalityError", "MODEL_REFUSED"],
  ["AI_EmptyResponseBodyError", "MODEL_ANSWER_INVALID"],
  ["AI_InvalidResponseDataError", "MODEL_ANSWER_INVALID"],
  ["AI_JSONParseError", "MODEL_ANSWER_INVALID"],
  ["AI_NoContentGeneratedError", "MODEL_ANSWER_INVALID"],
  ["AI_TypeValidationError", "MODEL_ANSWER_INVALID"],
]);

// Statuses that say more than their class; 402 is an account that someone has to fill up.
const CODE_BY_STATUS: ReadonlyMap<number, ModelErrorCode> = new Map([
  [401, "MODEL_UNAUTHORIZED"],
  [402, "MODEL_UNAUTHORIZED"],
  [403, "MODEL_UNAUTHORIZED"],
  [404, "MODEL_NOT_FOUND"],
  [408, "MODEL_UNREACHABLE"],
  [409, "MODEL_UNREACHABLE"],
  [425, "MODEL_UNREACHABLE"],
  [429, "MODEL_RATE_LIMITED"],
]);

const REASON_BY_CODE: ReadonlyMap<ModelErrorCode, string> = new Map([
  ["MODEL_UNAUTHORIZED", "lacks a key or a setting"],
  ["MODEL_NOT_FOUND", "has no such model"],
  ["MODEL_REFUSED", "does not take such a request"],
  ["MODEL_ANSWER_INVALID", "gave an answer that cannot be read"],
]);

/** The failure as a `ModelError` that repeats nothing of what was sent or received. */
export function toModelError(error: unknown, { backend, isAborted }: FailureContext): ModelError {
  if (isAborted) return createError("MODEL_ABORTED", `the request to ${backend} was aborted`);
  if (error instanceof ModelError) return error;
  const status = readField(error, "statusCode");
  if (typeof status === "number" && status >= 300) {
    return createError(decideByStatus(status), `${backend} answered with status ${status}`);
  }
  const code = decideWithoutStatus(error, status);
  return createError(code, `${backend} ${renderReason(code, error)}`);
}

function decideByStatus(status: number): ModelErrorCode {
  return CODE_BY_STATUS.get(status) ?? (status >= 500 ? "MODEL_UNREACHABLE" : "MODEL_REFUSED");
}

// An answer that began well and failed is either cut off, which the AI SDK marks as worth a retry,
// or unreadable.
function decideWithoutStatus(error: unknown, status: unknown): ModelErrorCode {
  if (typeof status === "number" && readField(error, "isRetryable") !== true) {
    return "MODEL_ANSWER_INVALID";
  }
  const name = readField(error, "name");
  return (typeof name === "string" && CODE_BY_NAME.get(name)) || "MODEL_UNREACHABLE";
}

function renderReason(code: ModelErrorCode, error: unknown): string {
  const reason = REASON_BY_CODE.get(code);
  if (reason !== undefined) return reason;
  const networkCode = findNetworkCode(error);
  return networkCode === undefined ? "gave no answer" : `gave no answer (${networkCode})`;
}

// Only a code in the form of ECONNRESET is taken: other packages put free text there.
function findNetworkCode(error: unknown): string | undefined {
  let current = error;
  for (let depth = 0; depth < ERROR_CHAIN_MAX; depth++) {
    const code = readField(current, "code");
    if (typeof code === "string" && /^[A-Z][A-Z_]{2,30}$/.test(code)) return code;
    current = readField(current, "cause");
  }
  return undefined;
}

function readField(value: unknown, field: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, field) : undefined;
}

function createError(code: ModelErrorCode, message: string): ModelError {
  return new ModelError({ code, retry: RETRY_ADVICE[code], message });
}
