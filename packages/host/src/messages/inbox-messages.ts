/**
 * Messages of people to a run, as rows of its inbox. Each has a key, so that repeating it has no
 * effect.
 */

import type { OpenRequest, RunProjection, StandingApproval, UnknownClaim } from "@turnseal/folds";
import type { InboxMessage } from "@turnseal/ports";
import {
  type ApprovalChoice,
  type BlobRef,
  digestOf,
  type Identity,
  type JsonObject,
  type JsonValue,
  LATE_RESOLUTIONS,
  type LateResolution,
  type Pattern,
  type StandingTerms,
} from "@turnseal/protocol";
import type { FilesToAttach } from "./files-to-attach.ts";

/** The answers that a person can give on an unknown action while its run goes on. */
export const ANSWERS = ["happened", "retry", "abandon"] as const;
/** The answers once the run has stopped are `LATE_RESOLUTIONS`. */
export type Resolution = (typeof ANSWERS)[number] | LateResolution;

/** The answers on an action whose item was withdrawn: it is neither done again nor abandoned. */
const WITHDRAWN_ANSWERS = ["happened"] as const;

/** Lists the answers that a person can give on an unknown action of a run as it stands. */
export function listAnswers(
  { stopped }: Pick<RunProjection, "stopped">,
  { isWithdrawn = false }: { readonly isWithdrawn?: boolean } = {},
): readonly Resolution[] {
  if (stopped !== null) return LATE_RESOLUTIONS;
  return isWithdrawn ? WITHDRAWN_ANSWERS : ANSWERS;
}

export interface SignalToSend {
  readonly name: string;
  readonly payload: JsonValue;
  /** The same signal sent twice under one key arrives once. */
  readonly key: string;
  readonly by: string;
  /** Files, by the JSON Pointer to where the payload names them. */
  readonly files?: FilesToAttach;
}

export interface UnknownAnswer {
  readonly resolution: Resolution;
  /** For `happened`: what the tool would have answered. */
  readonly result?: JsonValue;
  readonly by: Identity;
}

/** A person's decision on an approval. */
export interface DecisionToSend {
  readonly choice: ApprovalChoice;
  readonly by: Identity;
  /** Why, in the person's own words. Content. */
  readonly reason?: string;
  /** For `edit`: the arguments that the person would rather see. */
  readonly arguments?: JsonValue;
  /** For `approve`: how far the approval stands for further actions, and for which arguments. */
  readonly standing?: StandingTerms;
  readonly pattern?: Pattern;
}

export interface AnswerToSend {
  readonly answer: JsonValue;
  readonly by: Identity;
}

export function signalMessage(run: string, { name, payload, key, by }: SignalToSend): InboxMessage {
  return { run, key: `signal:${key}`, kind: "signal", body: { name, payload, by } };
}

export interface CancelToSend {
  readonly key: string;
  readonly by: string;
  /** Stops this turn alone, if it is open; a run that awaits signals goes on with the next. */
  readonly turn?: number;
}

export function cancelMessage(run: string, { key, by, turn }: CancelToSend): InboxMessage {
  const body = turn === undefined ? { by } : { by, turn };
  return { run, key: `cancel:${key}`, kind: "cancel", body };
}

export interface RetryToSend {
  /** The turn that was quarantined, or that the provider has ended: of another it says nothing. */
  readonly turn: number;
  readonly by: string;
  /** ISO 8601: since when the run is quarantined, where it is: the next time takes another word. */
  readonly since?: string;
  /** Accepts that the actions of the turn before its provider was away may be done again. */
  readonly again?: boolean;
}

/**
 * Has a run ask its provider again that waits for it, or go on that was quarantined. Saying it
 * twice of a turn says it once.
 */
export function retryMessage(run: string, { turn, by, again, since }: RetryToSend): InboxMessage {
  const quarantined = since === undefined ? {} : { since };
  const body = { by, turn, ...quarantined, ...(again === true ? { again } : {}) };
  return { run, key: `retry:${turn}:${digestOf(body)}`, kind: "retry", body };
}

/**
 * An answer is bound to one claim: an action that was retried and is unknown again has the same key
 * and another claim, and needs another answer. A refused answer must not keep others from
 * answering, nor the same person from a better answer. So each has a key of its own.
 */
export function resolveMessage(
  run: string,
  { key, hash }: Pick<UnknownClaim, "key" | "hash">,
  { resolution, result, by }: UnknownAnswer,
): InboxMessage {
  const body = {
    ...{ key, claimHash: hash, resolution, by: toJson(by) },
    ...(result === undefined ? {} : { result }),
  };
  return { run, key: `resolve:${hash}:${digestOf(body)}`, kind: "resolve", body };
}

/** A person's answer about files: the difference that they saw, as content of the run. */
export interface FileWord {
  readonly root: string;
  readonly shown: BlobRef;
  readonly by: Identity;
}

/** Says which side wins for files that have drifted. */
export function reconcileMessage(run: string, { root, shown, by }: FileWord): InboxMessage {
  const body = { root, difference: { ...shown }, by: toJson(by) };
  return { run, key: `reconcile:${digestOf(body)}`, kind: "reconcile", body };
}

/** Has the run manage files that are there. */
export function adoptMessage(run: string, { root, shown, by }: FileWord): InboxMessage {
  const body = { root, files: { ...shown }, by: toJson(by) };
  return { run, key: `adopt:${digestOf(body)}`, kind: "adopt", body };
}

/**
 * One decision for each person: repeating it has no effect, and a second, different one is refused.
 * People do not block each other, and a host puts no decision that would not count.
 */
export function decideMessage(
  run: string,
  { hash }: Pick<OpenRequest, "hash">,
  { choice, by, reason, arguments: edited, standing, pattern }: DecisionToSend,
): InboxMessage {
  const body = {
    approval: hash,
    choice,
    by: toJson(by),
    ...(reason === undefined ? {} : { reason }),
    ...(edited === undefined ? {} : { arguments: edited }),
    ...(standing === undefined ? {} : { standing: { ...standing } as JsonObject }),
    ...(pattern === undefined ? {} : { pattern: pattern as JsonObject }),
  };
  // Others may have let so many stand by then that this one is refused, and is decided again.
  const own = standing === undefined ? "" : `:${digestOf(body)}`;
  return { run, key: `decide:${hash}:${digestOf(by.id)}${own}`, kind: "decide", body };
}

/** Ends an approval that stands. Saying it twice says it once. */
export function revokeMessage(
  run: string,
  { hash }: Pick<StandingApproval, "hash">,
  by: Identity,
): InboxMessage {
  const body = { decision: hash, by: toJson(by) };
  return { run, key: `revoke:${hash}:${digestOf(by.id)}`, kind: "revoke", body };
}

/** An answer that does not fit leaves the question open, so each answer has a key of its own. */
export function answerMessage(
  run: string,
  { hash }: Pick<OpenRequest, "hash">,
  { answer, by }: AnswerToSend,
): InboxMessage {
  const body = { question: hash, answer, by: toJson(by) };
  return { run, key: `answer:${hash}:${digestOf(body)}`, kind: "answer", body };
}

function toJson({ id, roles }: Identity): JsonObject {
  return { id, roles: [...roles] };
}
