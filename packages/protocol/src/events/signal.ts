/** A message to a run: a signal, a cancel, a retry, a revocation, or a refused one. */
import type { BlobRef } from "../log/blob-ref.ts";
import { type FieldsOf, isCount, isHash, isOneOf, isText } from "../shape.ts";
import { isRef, isTime } from "./fields.ts";

interface Received {
  /** The key of the message. */
  readonly key: string;
  /** When it was made durable, by the store's clock; for a schedule, the time that it names. */
  readonly receivedAt: string;
}

export type SignalGiven = Received & {
  readonly kind: "signal";
  readonly name: string;
  readonly payload: BlobRef;
  /** The wait that it answers, by its sequence number, where one was open when it came. */
  readonly wait?: number;
};

export type CancelGiven = Received & {
  readonly kind: "cancel";
  /** Set for the open turn alone. */
  readonly scope?: "turn";
};

/** A person asks to retry the provider now. */
export type RetryGiven = Received & { readonly kind: "retry" };

/** A person ends an approval that stands. */
export type RevokeGiven = Received & {
  readonly kind: "revoke";
  /** The decision that let it stand, by its sequence number and its hash. */
  readonly decision: number;
  readonly hash: string;
};

export type MessageRefused = Received & {
  readonly kind: "refused";
  /** The kind of the message. */
  readonly of: string;
  readonly why: string;
};

export type SignalReceived = SignalGiven | CancelGiven | RetryGiven | RevokeGiven | MessageRefused;

const received = { key: isText, receivedAt: isTime };

export const signalGiven: FieldsOf<SignalGiven> = {
  always: { ...received, kind: isOneOf(["signal"]), name: isText, payload: isRef },
  sometimes: { wait: isCount },
};

export const cancelGiven: FieldsOf<CancelGiven> = {
  always: { ...received, kind: isOneOf(["cancel"]) },
  sometimes: { scope: isOneOf(["turn"]) },
};

export const retryGiven: FieldsOf<RetryGiven> = {
  always: { ...received, kind: isOneOf(["retry"]) },
  sometimes: {},
};

export const revokeGiven: FieldsOf<RevokeGiven> = {
  always: { ...received, kind: isOneOf(["revoke"]), decision: isCount, hash: isHash },
  sometimes: {},
};

export const messageRefused: FieldsOf<MessageRefused> = {
  always: { ...received, kind: isOneOf(["refused"]), of: isText, why: isText },
  sometimes: {},
};
