/**
 * Every no of the server: a closed list of codes, each with its status.
 *
 * A message never repeats what was sent. A run of another tenant and one that does not exist are
 * refused by the same bytes.
 */
import { SignalError } from "@turnseal/host";
import { isLoopError } from "@turnseal/protocol";

/** What the server itself refuses; hosts have codes of their own. */
export const SERVER_ERROR_CODES = [
  "AGENT_UNKNOWN",
  "BODY_REFUSED",
  "BODY_TOO_LARGE",
  "CALLER_UNKNOWN",
  "CALLER_UNVERIFIED",
  "CONTEXT_UNKNOWN",
  "CURSOR_REFUSED",
  "DOWNLOADS_EXHAUSTED",
  "FILE_FALSE",
  "FILE_UNKNOWN",
  "GENERATION_ENDED",
  "INBOX_FULL",
  "MEDIA_TYPE_REFUSED",
  "MESSAGE_CONFLICT",
  "PROVIDER_NOT_AWAITED",
  "REQUESTS_EXHAUSTED",
  "ROUTE_UNKNOWN",
  "RUN_ENDED",
  "RUN_UNKNOWN",
  "SERVER_FAILED",
  "STREAMS_EXHAUSTED",
  "TENANT_UNKNOWN",
  "UPLOADS_EXHAUSTED",
] as const;
export type ServerErrorCode = (typeof SERVER_ERROR_CODES)[number];

export interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** What would be better. */
  readonly next?: string;
  readonly retryAfterS?: number;
}

type Words = Omit<Refusal, "code">;

const words: Readonly<Record<ServerErrorCode, Words>> = {
  AGENT_UNKNOWN: { status: 404, message: "no agent of that name is served" },
  BODY_REFUSED: { status: 400, message: "the request does not match this route" },
  BODY_TOO_LARGE: { status: 413, message: "the body is too large" },
  CALLER_UNKNOWN: {
    status: 401,
    message: "the request is not authenticated",
    next: "send authorization: Bearer <key or token>",
  },
  CALLER_UNVERIFIED: { status: 503, message: "the caller could not be verified" },
  CONTEXT_UNKNOWN: { status: 404, message: "the run has made no such request of a model" },
  CURSOR_REFUSED: {
    status: 400,
    message: "the cursor is not the id of an event of this run",
    next: "leave the cursor out to begin with the first event",
  },
  DOWNLOADS_EXHAUSTED: {
    status: 429,
    message: "too much of this tenant, or of all, is still being read",
    retryAfterS: 1,
  },
  FILE_FALSE: { status: 422, message: "the file is not of the content type that it was sent as" },
  FILE_UNKNOWN: { status: 404, message: "there is no such file" },
  GENERATION_ENDED: { status: 409, message: "that generation has already ended" },
  INBOX_FULL: {
    status: 429,
    message: "this run has too many unread messages",
    next: "send it again when the run has read its messages; a cancel is always accepted",
    retryAfterS: 5,
  },
  MEDIA_TYPE_REFUSED: {
    status: 415,
    message: "the content type is not JSON",
    next: "send content-type: application/json",
  },
  MESSAGE_CONFLICT: {
    status: 409,
    message: "a different message was sent with the same key before",
  },
  PROVIDER_NOT_AWAITED: { status: 409, message: "the run waits for no provider" },
  REQUESTS_EXHAUSTED: { status: 429, message: "too many requests of this tenant" },
  ROUTE_UNKNOWN: { status: 404, message: "there is no such route", next: "GET /v1/openapi.json" },
  RUN_ENDED: { status: 409, message: "the run has stopped and accepts no more messages" },
  RUN_UNKNOWN: { status: 404, message: "there is no such run" },
  SERVER_FAILED: { status: 500, message: "the server failed" },
  STREAMS_EXHAUSTED: { status: 429, message: "too many open streams", retryAfterS: 5 },
  TENANT_UNKNOWN: { status: 403, message: "the runs of this tenant are not served here" },
  UPLOADS_EXHAUSTED: { status: 429, message: "too many files are being uploaded", retryAfterS: 1 },
};

/** A no in our own words, or with more to say. */
export function refuse(code: ServerErrorCode, more: Partial<Words> = {}): Refusal {
  return { code, ...words[code], ...more };
}

/** What hosts and engines say no with, and whose fault that is. */
const hostStatuses: Readonly<Record<string, number>> = {
  ANSWER_REFUSED: 422,
  BACKEND_UNBOUND: 409,
  CLAIM_NOT_UNKNOWN: 409,
  CLAIM_WITHDRAWN: 409,
  FILE_REFUSED: 422,
  GRANT_REFUSED: 409,
  INPUT_REFUSED: 422,
  LOOP_REFUSED: 409,
  PERSON_EXCLUDED: 403,
  REQUEST_UNKNOWN: 409,
  RETRY_REPEATS: 409,
  ROLE_MISSING: 403,
  RUN_CONFLICT: 409,
  SIGNALS_FULL: 429,
  SIGNAL_REFUSED: 422,
  STARTER_REFUSED: 422,
  TOOL_UNBOUND: 409,
  ENGINE_UNREACHABLE: 503,
  STORE_UNREACHABLE: 503,
};

/** What the operator has to mend is told to them; the caller learns no more than that. */
const hostWords: Readonly<Record<string, string>> = {
  GRANT_REFUSED: "what this agent may do is not set up as it has to be here",
};

/** The answer to whatever was thrown. What is not the caller's business is not said. */
export function toRefusal(thrown: unknown): Refusal {
  if (!isLoopError(thrown) || !Object.hasOwn(hostStatuses, thrown.code))
    return refuse("SERVER_FAILED");
  const { code } = thrown;
  const message = hostWords[code] ?? thrown.message;
  const next = nextAfter(thrown);
  const status = hostStatuses[code] ?? 500;
  // Where an engine or a database is, is for its operator to know.
  return status < 500
    ? { status, code, message, ...next }
    : { status, code, message: "try again later" };
}

/** A body that would be taken, where one is known. */
function nextAfter(thrown: unknown): Pick<Refusal, "next"> {
  if (!(thrown instanceof SignalError) || thrown.sample === undefined) return {};
  const { signal: name, sample: payload } = thrown;
  // Messages have a route of their own, whose body is the payload.
  const [route, body] = name === "message" ? ["messages", payload] : ["signals", { name, payload }];
  return { next: `POST /v1/runs/:run/${route} with a body such as ${JSON.stringify(body)}` };
}

/** As it goes over the wire. */
export function toResponse({ status, code, message, next, retryAfterS }: Refusal): Response {
  const error = { code, message, ...(next === undefined ? {} : { next }) };
  const headers = new Headers();
  if (retryAfterS !== undefined) headers.set("retry-after", String(retryAfterS));
  if (status === 401) headers.set("www-authenticate", "Bearer");
  return Response.json({ error }, { status, headers });
}
