/**
 * Turns any error of a provider into a `ModelError`.
 *
 * 1. The error of the AI SDK carries the prompt, the headers and the body of the answer. The
 *    message copies no part of it: it consists of the backend's name, the status and the network
 *    code, and there is no `cause`.
 * 2. The code decides the advice, so the same mishap is always met in the same way.
 * 3. Errors are recognised by name and fields, because `instanceof` fails between two installed
 *    copies of a package.
 */
import { ModelError } from "@turnseal/ports";
import { ERROR_CHAIN_MAX, type ModelErrorCode, type RetryAdvice } from "@turnseal/protocol";

interface FailureContext {
  readonly backend: string;
  readonly isAborted: boolean;
  /** True when a part of the answer had come already. */
  readonly hasBegun?: boolean;
}

/** Milliseconds of the longest pause that a provider can ask for: more is cut to this. */
export const RETRY_AFTER_MS_MAX = 24 * 60 * 60 * 1000;

const RETRY_ADVICE: Readonly<Record<ModelErrorCode, RetryAdvice>> = {
  MODEL_ABORTED: "never",
  MODEL_ANSWER_BROKEN: "retry",
  MODEL_ANSWER_INVALID: "retry",
  MODEL_ANSWER_TOO_LARGE: "never",
  MODEL_ANSWER_UNFINISHED: "retry",
  MODEL_FAILED: "retry",
  MODEL_NOT_FOUND: "never",
  MODEL_NOT_INSTALLED: "pause",
  MODEL_RATE_LIMITED: "retry",
  MODEL_REFUSED: "never",
  MODEL_UNAUTHORIZED: "pause",
  MODEL_UNAVAILABLE: "retry",
  MODEL_UNREACHABLE: "retry",
};

// The errors of a provider package without an answer to a request, or after one.
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
  [408, "MODEL_FAILED"],
  [409, "MODEL_FAILED"],
  [425, "MODEL_FAILED"],
  [429, "MODEL_RATE_LIMITED"],
  [499, "MODEL_FAILED"],
  // A gateway gave up: the server behind it may still work on the request.
  [504, "MODEL_FAILED"],
  [524, "MODEL_FAILED"],
]);

const REASON_BY_CODE: ReadonlyMap<ModelErrorCode, string> = new Map([
  ["MODEL_UNAUTHORIZED", "lacks a key or a setting"],
  ["MODEL_NOT_FOUND", "has no such model"],
  ["MODEL_REFUSED", "does not take such a request"],
  ["MODEL_ANSWER_BROKEN", "broke off its answer"],
  ["MODEL_ANSWER_INVALID", "gave an answer that cannot be read"],
  ["MODEL_ANSWER_TOO_LARGE", "gave an answer that is too large"],
  ["MODEL_ANSWER_UNFINISHED", "ended its answer without a reason"],
]);

/** The failure as a `ModelError` that repeats nothing of what was sent or received. */
export function toModelError(error: unknown, context: FailureContext): ModelError {
  const { backend, isAborted, hasBegun = false } = context;
  if (isAborted) return createError("MODEL_ABORTED", `the request to ${backend} was aborted`);
  const known = findModelError(error);
  if (known !== undefined) return known;
  const status = readField(error, "statusCode");
  if (typeof status === "number" && status >= 300) {
    const message = `${backend} answered with status ${status}`;
    const code = decideByStatus(status, hasBegun);
    const isOfStream = code === "MODEL_UNAVAILABLE" && hasStream(error);
    return createError(isOfStream ? "MODEL_FAILED" : code, message, readRetryAfter(error));
  }
  const code = decideWithoutStatus(error, status, hasBegun);
  return createError(code, `${backend} ${renderReason(code, error)}`);
}

/** An answer that came and cannot be used. */
export function answerError(code: ModelErrorCode, backend: string): ModelError {
  return createError(code, `${backend} ${renderReason(code, undefined)}`);
}

// The provider package may wrap an error of our own limits.
function findModelError(error: unknown): ModelError | undefined {
  let current = error;
  for (let depth = 0; depth < ERROR_CHAIN_MAX; depth++) {
    if (current instanceof ModelError) return current;
    current = readField(current, "cause");
  }
  return undefined;
}

function decideByStatus(status: number, hasBegun: boolean): ModelErrorCode {
  // A part of the answer has come, so the request was processed, even if the failure says
  // otherwise.
  if (hasBegun) return "MODEL_ANSWER_BROKEN";
  const code = CODE_BY_STATUS.get(status);
  return code ?? (status >= 500 ? "MODEL_UNAVAILABLE" : "MODEL_REFUSED");
}

// Some packages give an error within a stream a status of their own: there the answer had begun.
function hasStream(error: unknown): boolean {
  const type = readField(readField(error, "responseHeaders"), "content-type");
  return typeof type === "string" && type.toLowerCase().startsWith("text/event-stream");
}

// An answer that began well and failed is either cut off, which the AI SDK marks as worth a retry
// unless it was a stream, or unreadable.
function decideWithoutStatus(error: unknown, status: unknown, hasBegun: boolean): ModelErrorCode {
  const name = readField(error, "name");
  const known = typeof name === "string" ? CODE_BY_NAME.get(name) : undefined;
  if (hasBegun && isEndMissing(error)) return "MODEL_ANSWER_UNFINISHED";
  if (hasBegun) return known === "MODEL_ANSWER_INVALID" ? known : "MODEL_ANSWER_BROKEN";
  if (typeof status !== "number") return known ?? decideByNetwork(error);
  return readField(error, "isRetryable") === true ? "MODEL_ANSWER_BROKEN" : "MODEL_ANSWER_INVALID";
}

// A connection that was never made has carried no request. A lost connection may have.
const UNCONNECTED: ReadonlySet<string> = new Set([
  "CONNECT_TIMEOUT",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "UND_ERR_CONNECT_TIMEOUT",
]);

function decideByNetwork(error: unknown): ModelErrorCode {
  return UNCONNECTED.has(findNetworkCode(error) ?? "") ? "MODEL_UNREACHABLE" : "MODEL_FAILED";
}

// Some packages complain that a stream said nothing at its end: about data that are not there.
function isEndMissing(error: unknown): boolean {
  const isAboutData = readField(error, "name") === "AI_InvalidResponseDataError";
  return isAboutData && readField(error, "data") === undefined;
}

function renderReason(code: ModelErrorCode, error: unknown): string {
  const reason = REASON_BY_CODE.get(code) ?? "gave no answer";
  const networkCode = findNetworkCode(error);
  return networkCode === undefined ? reason : `${reason} (${networkCode})`;
}

// A provider gives it in milliseconds, in seconds, or as a date. A date counts from the date in the
// same answer, since the two clocks need not agree.
function readRetryAfter(error: unknown): number | undefined {
  const headers = readField(error, "responseHeaders");
  const read = (name: string) => {
    const value = readField(headers, name);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const [milliseconds, wait] = [read("retry-after-ms"), read("retry-after")];
  const candidates = [
    Number(milliseconds),
    Number(wait) * 1000,
    Date.parse(wait ?? "") - Date.parse(read("date") ?? ""),
  ];
  const asked = candidates.find((value) => Number.isFinite(value));
  if (asked === undefined) return undefined;
  return Math.min(Math.max(0, Math.ceil(asked)), RETRY_AFTER_MS_MAX);
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

function createError(code: ModelErrorCode, message: string, retryAfterMs?: number): ModelError {
  const retry = RETRY_ADVICE[code];
  return new ModelError({
    code,
    retry,
    message,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}
