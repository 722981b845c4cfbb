/**
 * A person's answer on an unknown action. It counts only for an unknown action, once, and from a
 * person whom the rule would have asked: the answer is an approval of its own.
 */

import { listUnknown, type RunProjection, type UnknownClaim } from "@turnseal/folds";
import type { EventDraft } from "@turnseal/kernel";
import type { InboxRow } from "@turnseal/ports";
import {
  type JsonObject,
  type JsonValue,
  mayResolve,
  mayResolveLate,
  RESOLUTIONS,
} from "@turnseal/protocol";
import { actorOf, isValue, readIdentity, refused } from "./inbox-row.ts";

/** If the run has an open turn, the turn goes on with it. */
export function draftResolution(row: InboxRow, run: RunProjection): EventDraft {
  const { body } = row;
  const open = run.openTurn;
  const claim = open?.open.find((known) => known.isUnknown && isAbout(known, body));
  if (open === null || claim === undefined) return refused(row, "that claim is not unknown");
  const why = refuseWord(claim, body, { isLate: false });
  const resolution = RESOLUTIONS.find((known) => known === body["resolution"]);
  if (why !== undefined || resolution === undefined) return refused(row, why ?? NO_ANSWER);
  const { key, reserve, call, parentCall } = claim;
  return {
    type: "action.resolved",
    actor: actorOf(body),
    turn: open.turn,
    call,
    ...(parentCall === null ? {} : { parentCall }),
    content: {
      ...{ key, claim: claim.claim, claimHash: claim.hash, resolution, reserve },
      ...rolesFor(claim, body),
    },
    ...resultOf(body),
  };
}

/** In a run that has stopped; undefined for a word that does not count, and stays where it is. */
export function draftLateResolution(
  { body }: InboxRow,
  run: RunProjection,
): EventDraft<"run.resolved"> | undefined {
  const claim = listUnknown(run).find((known) => isAbout(known, body));
  const { resolution } = body;
  if (claim === undefined || !mayResolveLate(resolution)) return undefined;
  if (refuseWord(claim, body, { isLate: true }) !== undefined) return undefined;
  const { key, hash } = claim;
  return {
    type: "run.resolved",
    actor: { kind: "person", id: readIdentity(body).id },
    content: { key, claim: claim.claim, claimHash: hash, resolution, ...rolesFor(claim, body) },
    ...resultOf(body),
  };
}

/** True for an answer on this very claim. */
export function isAbout({ key, hash }: UnknownClaim, body: JsonObject): boolean {
  return body["key"] === key && body["claimHash"] === hash;
}

const NO_ANSWER = "a person cannot answer so";

/** Why an answer on an unknown action does not count; undefined if it does. */
export function refuseWord(
  claim: UnknownClaim,
  body: JsonObject,
  { isLate }: { readonly isLate: boolean },
): string | undefined {
  const { effect, role, excluded, isWithdrawn = false } = claim;
  const by = readIdentity(body);
  if (by.id === "") return "identity-missing";
  if (role !== null && !by.roles.includes(role)) return "role-missing";
  if (excluded.includes(by.id)) return "person-excluded";
  const { resolution, result } = body;
  const isAnswer = isLate
    ? mayResolveLate(resolution)
    : mayResolve(resolution, { effect, by: "person" });
  if (!isAnswer) return NO_ANSWER;
  // To do it again, or to give the turn up for it, is not for what the turn goes on without.
  if (!isLate && isWithdrawn && resolution !== "happened") return "item-withdrawn";
  return result === undefined || isValue(result) ? undefined : "answer-wrong";
}

function rolesFor({ role }: UnknownClaim, body: JsonObject): { readonly roles?: string[] } {
  return role === null ? {} : { roles: [...readIdentity(body).roles] };
}

function resultOf({ result }: JsonObject): { readonly attached?: { readonly result: JsonValue } } {
  return result === undefined ? {} : { attached: { result } };
}
