/** Properties that every log of a run must have (spec/conformance.md, "Event rules"). */
import { checkChain, EMPTY_HEAD, type JsonObject, type LoopEvent } from "@turnseal/protocol";
import type { EventRuleName } from "../vectors/event-rule-names.ts";

type EventRule = (events: readonly JsonObject[]) => string[];

export const eventRules: Readonly<Record<EventRuleName, EventRule>> = {
  chained: checkChained,
  "events-in-time": checkTimes,
  "one-end-per-claim": checkClaims,
};

function checkChained(events: readonly JsonObject[]): string[] {
  const run = String(events[0]?.["run"]);
  const checked = checkChain(run, EMPTY_HEAD, events as unknown as readonly LoopEvent[]);
  return checked.kind === "broken" ? [`event ${checked.sequence}: ${checked.code}`] : [];
}

function checkTimes(events: readonly JsonObject[]): string[] {
  const early = events.findIndex(
    ({ at }, index) => index > 0 && String(at) < String(events[index - 1]?.["at"]),
  );
  return early === -1 ? [] : [`event ${early + 1} is earlier than the one before it`];
}

/** Every end names a claim that is open, and no claim has two. */
function checkClaims(events: readonly JsonObject[]): string[] {
  const open = new Set<unknown>();
  return events.flatMap(({ type, sequence, content }) => {
    const { claim } = content as JsonObject;
    if (type === "action.claimed") open.add(sequence);
    if (type !== "action.settled" && type !== "action.resolved") return [];
    return open.delete(claim) ? [] : [`event ${sequence} ends what is not open`];
  });
}
