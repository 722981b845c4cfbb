/**
 * Why a server did not answer well, in words.
 *
 * An outage says nothing about a server: it never decides which protocol it speaks. After a call
 * was sent, only an answer that no server gives once it has acted says that nothing was done.
 */
import { notDone } from "@turnseal/protocol/authoring";
import { BROKEN_STREAM, FOREIGN_RESULT } from "./guard-transport.ts";
import type { Sdk } from "./load-sdk.ts";

const SIGN_IN =
  "the server wants a sign-in: name a secret for the header Authorization under `secrets`";
/** No connection was made, so that nothing was sent. */
const UNSENT = new Set(["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"]);
/** Statuses of a request that was refused before it was read. */
const REFUSED = new Set([400, 404, 405, 406, 413, 415, 429]);
/** Codes of JSON-RPC for a request that reached no tool. */
const UNREAD = new Set([-32_700, -32_600, -32_601, -32_022, -32_021, -32_020]);
const CAUSES_MAX = 8;

/** Who reads a failure. A person who reviews a server reads its words; a model gets codes. */
export type Reader = "person" | "model";

/** The failure of a connection that could not be made. Nothing was called. */
export function explainUnconnected(
  sdk: Sdk,
  error: unknown,
  reader: Reader,
  complaint = "",
): Error {
  if (isNotDone(error)) return error;
  const status = statusOf(sdk, error);
  if (status === 401 || status === 403) return notDone(SIGN_IN);
  const said = reader === "model" || complaint === "" ? "" : `; it wrote: ${complaint}`;
  const why = reasonOf(sdk, error, reader);
  return notDone(`the server cannot be reached: ${why}${said}`, { mayRetry: true });
}

/** The failure of a list of tools. Nothing was called. */
export function explainUnlisted(sdk: Sdk, error: unknown, reader: Reader): Error {
  const isAnswer =
    error instanceof sdk.ProtocolError ||
    (error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.InvalidResult);
  if (!isAnswer) return explainUnconnected(sdk, error, reader);
  return notDone(`the server does not list its tools well: ${reasonOf(sdk, error, reader)}`);
}

/** The failure of a call that was handed to the connection. */
export function explainCall(sdk: Sdk, error: unknown, isErrorUndone: boolean): Error {
  if (isNotDone(error)) return error;
  const status = statusOf(sdk, error);
  if (status === 401 || status === 403) return notDone(SIGN_IN);
  if (status !== undefined && REFUSED.has(status))
    return notDone(`the server refused the request with the status ${status}`);
  if (listCodes(error).some((code) => UNSENT.has(code)))
    return notDone("the request was not sent: the server cannot be reached", { mayRetry: true });
  if (!(error instanceof sdk.ProtocolError))
    return new Error(`the server may have acted, and did not answer: ${wordsOf(error)}`);
  if (UNREAD.has(error.code)) return notDone(`the server refused the request: ${error.message}`);
  if (error.code === BROKEN_STREAM || error.code === FOREIGN_RESULT)
    return new Error(`the server may have acted: ${error.message}`);
  return answeredError(`${error.message} (${error.code})`, isErrorUndone);
}

/** The failure of a call that the server answered with an error. */
export function answeredError(words: string, isUndone: boolean): Error {
  const message = `the server answered with an error: ${words.slice(0, ANSWER_LENGTH_MAX)}`;
  return isUndone ? notDone(message.toWellFormed()) : new Error(message.toWellFormed());
}

const ANSWER_LENGTH_MAX = 1_500;

function isNotDone(error: unknown): error is Error {
  const { code } = Object(error) as { readonly code?: unknown };
  return error instanceof Error && (code === "TOOL_NOT_DONE" || code === "TOOL_UNAVAILABLE");
}

function statusOf(sdk: Sdk, error: unknown): number | undefined {
  if (error instanceof sdk.SdkHttpError) return error.status;
  return error instanceof sdk.UnauthorizedError ? 401 : undefined;
}

function listCodes(error: unknown): string[] {
  const codes: string[] = [];
  let cause = error;
  for (let depth = 0; depth < CAUSES_MAX && cause instanceof Error; depth++) {
    const { code, data } = cause as { readonly code?: unknown; readonly data?: unknown };
    if (typeof code === "string") codes.push(code);
    cause = cause.cause ?? (Object(data) as { readonly cause?: unknown }).cause;
  }
  return codes;
}

function reasonOf(sdk: Sdk, error: unknown, reader: Reader): string {
  if (reader === "person") return wordsOf(error);
  const status = statusOf(sdk, error);
  const facts = [
    ...(status === undefined ? [] : [`status ${status}`]),
    ...(error instanceof sdk.ProtocolError ? [`code ${Number(error.code)}`] : listCodes(error)),
  ];
  return [...facts, "a person can read more with `turnseal mcp diff`"].join("; ");
}

const WORDS_LENGTH_MAX = 300;

function wordsOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const codes = listCodes(error).filter((code) => UNSENT.has(code));
  return [text.slice(0, WORDS_LENGTH_MAX).toWellFormed(), ...codes].join(" ");
}
