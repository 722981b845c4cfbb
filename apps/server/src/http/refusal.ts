/**
 * Every refusal of the server: a closed list of codes, each with its status.
 *
 * A message never repeats what was sent. The same bytes refuse a run of another tenant and a
 * missing one.
 */
import { SignalError } from "@turnseal/host";
import { isLoopError } from "@turnseal/protocol";
import {
  type Refusal,
  type RefusalWords,
  refuse as refuseSession,
  type SessionErrorCode,
} from "@turnseal/sessions";

/** What only a server refuses: its routes, its callers, its limits. */
export const SERVER_ERROR_CODES = [
  "CALLER_UNKNOWN",
  "CALLER_UNVERIFIED",
  "CONTEXT_UNKNOWN",
  "CURSOR_REFUSED",
  "DOWNLOADS_EXHAUSTED",
  "FILE_FALSE",
  "FILE_UNKNOWN",
  "MEDIA_TYPE_REFUSED",
  "REQUESTS_EXHAUSTED",
  "ROUTE_UNKNOWN",
  "SERVER_FAILED",
  "STREAMS_EXHAUSTED",
  "TENANT_UNKNOWN",
  "UPLOADS_EXHAUSTED",
] as const;
export type ServerErrorCode = (typeof SERVER_ERROR_CODES)[number];

const words: Readonly<Record<ServerErrorCode, RefusalWords>> = {
  CALLER_UNKNOWN: {
    message: "the request is not authenticated",
    next: "send authorization: Bearer <key or token>",
  },
  CALLER_UNVERIFIED: { message: "the caller could not be verified" },
  CONTEXT_UNKNOWN: { message: "the run has made no such request of a model" },
  CURSOR_REFUSED: {
    message: "the cursor is not the id of an event of this run",
    next: "leave the cursor out to begin with the first event",
  },
  DOWNLOADS_EXHAUSTED: {
    message: "too much of this tenant, or of all, is still being read",
    retryAfterS: 1,
  },
  FILE_FALSE: { message: "the file is not of the content type that it was sent as" },
  FILE_UNKNOWN: { message: "there is no such file" },
  MEDIA_TYPE_REFUSED: {
    message: "the content type is not JSON",
    next: "send content-type: application/json",
  },
  REQUESTS_EXHAUSTED: { message: "too many requests of this tenant" },
  ROUTE_UNKNOWN: { message: "there is no such route", next: "GET /v1/openapi.json" },
  SERVER_FAILED: { message: "the server failed" },
  STREAMS_EXHAUSTED: { message: "too many open streams", retryAfterS: 5 },
  TENANT_UNKNOWN: { message: "the runs of this tenant are not served here" },
  UPLOADS_EXHAUSTED: { message: "too many files are being uploaded", retryAfterS: 1 },
};

/** Refuses with the words of a code, or with more or other words. */
export function refuse(
  code: ServerErrorCode | SessionErrorCode,
  more: Partial<RefusalWords> = {},
): Refusal {
  return isOwn(code) ? { code, ...words[code], ...more } : refuseSession(code, more);
}

function isOwn(code: ServerErrorCode | SessionErrorCode): code is ServerErrorCode {
  return Object.hasOwn(words, code);
}

const statuses: Readonly<Record<ServerErrorCode | SessionErrorCode, number>> = {
  AGENT_UNKNOWN: 404,
  BODY_REFUSED: 400,
  BODY_TOO_LARGE: 413,
  CALLER_UNKNOWN: 401,
  CALLER_UNVERIFIED: 503,
  CONTEXT_UNKNOWN: 404,
  CURSOR_REFUSED: 400,
  DOWNLOADS_EXHAUSTED: 429,
  FILE_FALSE: 422,
  FILE_UNKNOWN: 404,
  GENERATION_ENDED: 409,
  INBOX_FULL: 429,
  MEDIA_TYPE_REFUSED: 415,
  MESSAGE_CONFLICT: 409,
  PROVIDER_NOT_AWAITED: 409,
  REQUESTS_EXHAUSTED: 429,
  ROUTE_UNKNOWN: 404,
  RUN_ENDED: 409,
  RUN_UNKNOWN: 404,
  SERVER_FAILED: 500,
  STREAMS_EXHAUSTED: 429,
  TENANT_UNKNOWN: 403,
  UPLOADS_EXHAUSTED: 429,
};

/** The codes with which hosts and engines refuse, and the status of each. */
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

/** The operator learns which setting is wrong; the caller learns no more than that. */
const hostWords: Readonly<Record<string, string>> = {
  GRANT_REFUSED: "what this agent may do is not set up as it has to be here",
};

/** The answer to any thrown value. Details that are not the caller's business stay out of it. */
export function toRefusal(thrown: unknown): Refusal {
  if (!isLoopError(thrown) || !Object.hasOwn(hostStatuses, thrown.code))
    return refuse("SERVER_FAILED");
  const { code } = thrown;
  // Where an engine or a database is, is for its operator to know.
  if (statusOf(code) >= 500) return { code, message: "try again later" };
  return { code, message: hostWords[code] ?? thrown.message, ...nextAfter(thrown) };
}

function statusOf(code: string): number {
  const all: Readonly<Record<string, number>> = { ...hostStatuses, ...statuses };
  return Object.hasOwn(all, code) ? (all[code] ?? 500) : 500;
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
export function toResponse({ code, message, next, retryAfterS }: Refusal): Response {
  const status = statusOf(code);
  const error = { code, message, ...(next === undefined ? {} : { next }) };
  const headers = new Headers();
  if (retryAfterS !== undefined) headers.set("retry-after", String(retryAfterS));
  if (status === 401) headers.set("www-authenticate", "Bearer");
  return Response.json({ error }, { status, headers });
}
