/**
 * Follows open handoffs (spec/receipt.md §6.6): their reservations count in later periods, and each
 * claim states the sum that was committed before it.
 */
import { type Amounts, addAmounts, committed, type Spending } from "../budget/budget.ts";
import { carryOpen, type Handed } from "../budget/share-budget.ts";
import { canonicalize, type JsonValue } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";
import type { TurnPlace } from "./follow-turns.ts";

export interface HandedFollower {
  /** True unless a handoff states other amounts than the run, and those above it, had committed. */
  isCounted(event: RawEvent, place: TurnPlace | undefined, before: Spending): boolean;
  /** The spending that the caps of an event are compared with. */
  carry(event: RawEvent, place: TurnPlace | undefined, spending: Spending): Spending;
  follow(event: RawEvent): void;
}

export function followHanded(): HandedFollower {
  let above: Amounts = {};
  const open = new Map<JsonValue | undefined, Handed>();
  return {
    isCounted: (event, place, before) => {
      if (!isHandoff(event) || place?.countsFamily !== true) return true;
      const stated = event.content["committed"] ?? null;
      return canonicalize(stated) === canonicalize(addAmounts(above, committed(before)));
    },
    carry: ({ type, at }, place, spending) =>
      // Only what a claim lifts is held against caps.
      type === "action.claimed" && place?.countsFamily === true && open.size > 0
        ? carryOpen(spending, open.values(), at)
        : spending,
    follow: (event) => {
      const { type, sequence, content } = event;
      // The schema of these types has looked at them.
      if (type === "run.started")
        above = (content["spec"] as { readonly committed?: Amounts }).committed ?? {};
      if (type === "turn.started") open.clear();
      if (isHandoff(event)) open.set(sequence, content as unknown as Handed);
      if (type === "action.settled" || type === "action.resolved") open.delete(content["claim"]);
    },
  };
}

function isHandoff({ type, content }: RawEvent): boolean {
  return type === "action.claimed" && content["action"] === "handoff";
}
