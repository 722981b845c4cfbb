import { type EventEnvelope, parseEnvelopeId } from "@turnseal/protocol/events";
import { applyItem } from "./apply-item.ts";
import { type PartialMessage, SESSION_EVENTS_MAX, type SessionState } from "./session-state.ts";

/**
 * Applies a stored event, in any order and any number of times. An event of another run changes
 * nothing.
 */
export function applyEnvelope(state: SessionState, event: EventEnvelope): SessionState {
  if (event.run !== state.run) return state;
  const at = state.events.findLastIndex((known) => compareEnvelopes(known, event) <= 0);
  const before = state.events[at];
  if (before !== undefined && compareEnvelopes(before, event) === 0) return state;
  const events = forgetOldest(state.events.toSpliced(at + 1, 0, event));
  const isNext = at + 1 === state.events.length && events.length > state.events.length;
  const items = isNext
    ? applyItem(state.items, event)
    : events.reduce<SessionState["items"]>(applyItem, []);
  const partials = state.partials.filter((partial) => !isEnded(partial, event));
  return { ...state, events, items, partials };
}

/** True when the event makes all later pieces of a message unnecessary. */
export function isEnded(
  { message, generationId, kind }: Pick<PartialMessage, "message" | "generationId" | "kind">,
  event: EventEnvelope,
): boolean {
  if (event.type === "user-abort") return event.content.generationId === generationId;
  if (event.type === "generation-failure") return event.generationId === generationId;
  if (event.message !== message) return false;
  // The request of a tool has the name of its output, which is yet to come.
  return event.type !== "tool-call" || kind !== "tool-output";
}

/** By the place in the log: the sequence number, then the number within one event of the log. */
function compareEnvelopes(left: EventEnvelope, right: EventEnvelope): number {
  return left.sequence - right.sequence || indexOf(left) - indexOf(right);
}

function indexOf({ id }: EventEnvelope): number {
  return parseEnvelopeId(id)?.index ?? 0;
}

// Drops a quarter at once, so that a session at the limit is not folded again with every event.
function forgetOldest(events: readonly EventEnvelope[]): readonly EventEnvelope[] {
  return events.length <= SESSION_EVENTS_MAX
    ? events
    : events.slice(Math.ceil(SESSION_EVENTS_MAX / 4));
}
