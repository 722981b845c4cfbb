/**
 * Follows open handoffs (spec/receipt.md §6.6): their reservations count in later periods, and each
 * claim states the sum that was committed before it.
 */
import {
  type Amounts,
  addAmounts,
  areAmounts,
  committed,
  type Spending,
} from "../budget/budget.ts";
import { PERIOD_KINDS } from "../budget/period.ts";
import { carryOpen, type Handed } from "../budget/share-budget.ts";
import { canonicalize, isPlainObject, type JsonValue } from "../canonical-json.ts";
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
  let isStarted = false;
  const open = new Map<JsonValue | undefined, Handed>();
  return {
    isCounted: (event, place, before) => {
      if (!isHandoff(event) || place?.countsFamily !== true) return true;
      const stated = event.content["committed"] ?? null;
      return canonicalize(stated) === canonicalize(addAmounts(above, committed(before)));
    },
    carry: ({ at }, place, spending) =>
      place?.countsFamily === true && open.size > 0
        ? carryOpen(spending, open.values(), at)
        : spending,
    follow: (event) => {
      const { type, sequence, content } = event;
      if (type === "run.started" && !isStarted) {
        isStarted = true;
        above = readCommitted(content["spec"]);
      }
      if (type === "turn.started") open.clear();
      if (isHandoff(event)) open.set(sequence, readHanded(content));
      if (type === "action.settled" || type === "action.resolved") open.delete(content["claim"]);
    },
  };
}

function isHandoff({ type, content }: RawEvent): boolean {
  return type === "action.claimed" && content["action"] === "handoff";
}

function readCommitted(spec: JsonValue | undefined): Amounts {
  const stated = isPlainObject(spec) ? spec["committed"] : undefined;
  return areAmounts(stated) ? stated : {};
}

/** A name that is no text is none. */
function readHanded({ reserve, periods }: RawEvent["content"]): Handed {
  const named = isPlainObject(periods) ? periods : {};
  const names = PERIOD_KINDS.flatMap((kind) =>
    typeof named[kind] === "string" ? [[kind, named[kind]]] : [],
  );
  return {
    reserve: areAmounts(reserve) ? reserve : {},
    periods: Object.fromEntries(names) as Handed["periods"],
  };
}
