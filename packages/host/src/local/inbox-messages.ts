/**
 * What a person tells a run, as rows of its inbox. Each has a key, so that saying it twice is
 * saying it once.
 */
import type { InboxMessage } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import type { OpenClaim } from "../projection/run-projection.ts";

/** What a person can say of an action whose end nobody knows. */
export const ANSWERS = ["happened", "retry", "abandon"] as const;
export type Resolution = (typeof ANSWERS)[number];

export interface SignalToSend {
  readonly name: string;
  readonly payload: JsonValue;
  /** The same signal sent twice under one key arrives once. */
  readonly key: string;
  readonly by: string;
}

export interface UnknownAnswer {
  readonly resolution: Resolution;
  /** For `happened`: what the tool would have answered. */
  readonly result?: JsonValue;
  readonly by: string;
}

export function signalMessage(run: string, { name, payload, key, by }: SignalToSend): InboxMessage {
  return { run, key: `signal:${key}`, kind: "signal", body: { name, payload, by } };
}

export function cancelMessage(
  run: string,
  { key, by }: { readonly key: string; readonly by: string },
): InboxMessage {
  return { run, key: `cancel:${key}`, kind: "cancel", body: { by } };
}

/**
 * An answer is bound to one claim: an action that was retried and is unknown again has the same key
 * and another claim, and needs another answer.
 */
export function resolveMessage(
  run: string,
  { key, hash }: Pick<OpenClaim, "key" | "hash">,
  { resolution, result, by }: UnknownAnswer,
): InboxMessage {
  const body = { key, claimHash: hash, resolution, by };
  return {
    run,
    key: `resolve:${hash}`,
    kind: "resolve",
    body: result === undefined ? body : { ...body, result },
  };
}
