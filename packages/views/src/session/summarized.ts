/**
 * Reports a summary once: beside the first words that a call writes from it. People then know from
 * where on the agent has only a summary.
 */
import { type EventOf, isClaimOf } from "@turnseal/protocol";
import type { Applied } from "./applied.ts";
import type { EnvelopeDraft } from "./envelope-draft.ts";
import type { SessionState } from "./session-state.ts";

/** Remembers that a call asks its model from a new summary. */
export function noteSummarized(
  state: SessionState,
  event: EventOf<"action.claimed">,
): SessionState {
  if (!isClaimOf("model", event)) return state;
  const { strategy, shown } = event.content.context;
  // A summary that only stays is named again where anything else of what is shown changes.
  if (strategy !== "summary" || shown?.summarized === undefined) return state;
  const { from, to } = shown.summarized;
  return { ...state, summarized: new Map(state.summarized).set(event.call, { from, to }) };
}

/** Says it with the first words of the call; where there are none, it waits for them. */
export function tellSummarized(
  state: SessionState,
  call: string,
  drafts: readonly EnvelopeDraft[],
): Applied {
  const entries = state.summarized.get(call);
  const at = drafts.findIndex(({ type }) => type === "assistant-message");
  const first = drafts[at];
  if (entries === undefined || first?.type !== "assistant-message") return { state, drafts };
  const told = { ...first, content: { ...first.content, summarized: entries } };
  return { state: forgetSummarized(state, call), drafts: drafts.with(at, told) };
}

/** A call that has ended says nothing more. */
export function forgetSummarized(state: SessionState, call: string): SessionState {
  if (!state.summarized.has(call)) return state;
  const summarized = new Map(state.summarized);
  summarized.delete(call);
  return { ...state, summarized };
}
