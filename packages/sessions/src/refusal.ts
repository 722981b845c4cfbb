/**
 * Why a front end refuses what somebody asked: a closed list of codes, each with its words.
 *
 * A message never repeats what was sent. A run of another tenant and one that does not exist are
 * refused in the same words.
 */

/** The refusals that every front end has; hosts have codes of their own. */
export const SESSION_ERROR_CODES = [
  "AGENT_UNKNOWN",
  "BODY_REFUSED",
  "BODY_TOO_LARGE",
  "GENERATION_ENDED",
  "INBOX_FULL",
  "MESSAGE_CONFLICT",
  "PROVIDER_NOT_AWAITED",
  "RUN_ENDED",
  "RUN_UNKNOWN",
] as const;
export type SessionErrorCode = (typeof SESSION_ERROR_CODES)[number];

export interface Refusal {
  readonly code: string;
  readonly message: string;
  /** The next step for the caller. */
  readonly next?: string;
  readonly retryAfterS?: number;
}
export type RefusalWords = Omit<Refusal, "code">;

const words: Readonly<Record<SessionErrorCode, RefusalWords>> = {
  AGENT_UNKNOWN: { message: "no agent of that name is served" },
  BODY_REFUSED: { message: "the request does not match this route" },
  BODY_TOO_LARGE: { message: "the body is too large" },
  GENERATION_ENDED: { message: "that generation has already ended" },
  INBOX_FULL: {
    message: "this run has too many unread messages",
    next: "send it again when the run has read its messages; a cancel is always accepted",
    retryAfterS: 5,
  },
  MESSAGE_CONFLICT: { message: "a different message was sent with the same key before" },
  PROVIDER_NOT_AWAITED: { message: "the run waits for no provider" },
  RUN_ENDED: { message: "the run has stopped and accepts no more messages" },
  RUN_UNKNOWN: { message: "there is no such run" },
};

/** Refuses with the words of a code, or with more or other words. */
export function refuse(code: SessionErrorCode, more: Partial<RefusalWords> = {}): Refusal {
  return { code, ...words[code], ...more };
}
