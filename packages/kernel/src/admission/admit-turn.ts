/**
 * Decides whether a turn may run at all. Pure.
 *
 * Judged by the state when the turn started, so that a resume and a replay decide the same. Later
 * changes are judged at each tool's own admission.
 */
import {
  type ContentOf,
  checkGuidance,
  type EventOf,
  findOverrun,
  fitsGuidance,
  foldSpending,
  type Grant,
  type GuidanceDocument,
  type PinnedGuidance,
} from "@turnseal/protocol";

export type TurnDenial = ContentOf<"turn.denied">["reason"];

export type TurnAdmission =
  | { readonly kind: "admitted" }
  | { readonly kind: "denied"; readonly reason: TurnDenial };

interface TurnToAdmit {
  readonly grant: Grant;
  readonly guidance?: GuidanceToAdmit;
}

interface GuidanceToAdmit {
  readonly pinned: readonly PinnedGuidance[];
  readonly texts: readonly string[];
  readonly summaries: readonly GuidanceDocument[];
}

/** Checks grant, budget and guidance. `started` is the event with which the turn started. */
export function admitTurn(
  { grant, guidance }: TurnToAdmit,
  started: EventOf<"turn.started">,
): TurnAdmission {
  if (grant.expiresAt !== undefined && !(Date.parse(started.at) < Date.parse(grant.expiresAt))) {
    return { kind: "denied", reason: "grant-expired" };
  }
  const spending = foldSpending(started.content.spending, started);
  if (findOverrun(grant.budget, spending, {}) !== undefined)
    return { kind: "denied", reason: "budget-exhausted" };
  if (guidance !== undefined && !isAsPinned(guidance))
    return { kind: "denied", reason: "guidance-changed" };
  return { kind: "admitted" };
}

/** True when the texts are the pinned ones, and all guidance is within its limits. */
function isAsPinned({ pinned, texts, summaries }: GuidanceToAdmit): boolean {
  const isWithin = fitsGuidance([...texts, ...summaries.map(({ text }) => text)]);
  return isWithin && checkGuidance(pinned, texts) === "ok";
}
