/** Claims and ends of one kind of action: of a model, of a tool, or of another run. */
import type { ACTIONS } from "./action-end.ts";
import type { ContentOf, EventOf, LoopEvent } from "./event.ts";

export type ActionKind = (typeof ACTIONS)[number];

type OfAction<Type extends "action.claimed" | "action.settled", Kind> = EventOf<Type> & {
  readonly content: Extract<ContentOf<Type>, { readonly action: Kind }>;
};

export type ClaimOf<Kind extends ActionKind> = OfAction<"action.claimed", Kind>;
export type SettledOf<Kind extends ActionKind> = OfAction<"action.settled", Kind>;

/** True for a claim of an action of this kind. */
export function isClaimOf<Kind extends ActionKind>(
  kind: Kind,
  event: LoopEvent,
): event is ClaimOf<Kind> {
  return event.type === "action.claimed" && event.content.action === kind;
}

/** True for the end of an action of this kind. */
export function isSettledOf<Kind extends ActionKind>(
  kind: Kind,
  event: LoopEvent,
): event is SettledOf<Kind> {
  return event.type === "action.settled" && event.content.action === kind;
}
