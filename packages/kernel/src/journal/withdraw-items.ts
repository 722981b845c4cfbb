/**
 * Withdraws items of a fan-out, so that none of their actions stays open when the turn goes on.
 *
 * 1. Their requests to people are withdrawn, and later answers are ignored.
 * 2. A claim with an unknown end stays so, and is recorded as withdrawn: the run does not wait for
 *    its resolution. A request to a model counts in full. An action that only reads has changed
 *    nothing.
 * 3. The end of an item names the run that it started. The host cancels that run, and the fan-out
 *    waits for it.
 */
import { type EventOf, judgeApproval, type LoopEvent } from "@turnseal/protocol";
import type { EventDraft } from "../log/appender.ts";
import type { Frame } from "../resume/frame.ts";
import { groupByItem } from "../resume/group-by-item.ts";
import type { ItemPlace } from "../resume/item-place.ts";
import { type Claim, listOpenClaims } from "../resume/list-item-runs.ts";
import type { TurnJournalOptions } from "../step/step.ts";
import { eventsOf } from "./events-of.ts";

type Request = EventOf<"approval.requested" | "question.asked">;

/** All are of one fan-out. */
export function withdrawItems(
  { call }: Frame,
  items: readonly ItemPlace[],
  options: Pick<TurnJournalOptions, "recorded" | "appender">,
): void {
  const [first] = items;
  if (first === undefined) return;
  const { appender } = options;
  const events = eventsOf(options);
  const owned = groupByItem(events, { call, path: first.path });
  for (const { index } of items) {
    const own = owned.get(index) ?? [];
    for (const request of listRequests(own)) appender.push(() => describeWithdrawal(request));
    for (const claim of listOpenClaims(own)) {
      const draft = describeOrphan(claim, own);
      if (draft !== undefined) appender.push(() => draft);
    }
  }
}

/** Lists requests to people that are neither decided nor used. */
function listRequests(events: readonly LoopEvent[]): Request[] {
  const over = new Set(events.flatMap(listEnded));
  const decisions = events.filter((event) => event.type === "approval.decided");
  return events
    .filter((event) => event.type === "approval.requested" || event.type === "question.asked")
    .filter((event) => {
      if (over.has(event.sequence)) return false;
      if (event.type === "question.asked") return true;
      const { kind } = judgeApproval(event, decisions);
      return kind === "pending" || kind === "approved";
    });
}

/** The requests that an event ends. */
function listEnded(event: LoopEvent): number[] {
  switch (event.type) {
    case "approval.expired":
      return [event.content.approval ?? event.content.question ?? 0];
    case "question.answered":
      return [event.content.question];
    case "approval.requested":
      return event.content.replaces === undefined ? [] : [event.content.replaces];
    case "action.claimed": {
      const { content } = event;
      return "approval" in content && content.approval !== undefined ? [content.approval] : [];
    }
    default:
      return [];
  }
}

function describeWithdrawal(request: Request): EventDraft<"approval.expired"> {
  const { sequence, hash, content } = request;
  const about =
    request.type === "question.asked"
      ? { question: sequence, ...pickPath(request.content) }
      : { approval: sequence };
  return {
    ...placeOf(request),
    type: "approval.expired",
    content: { key: content.key, hash, ...about, because: "withdrawn" },
  };
}

function pickPath({ path }: { readonly path?: string }): { readonly path?: string } {
  return path === undefined ? {} : { path };
}

/** Describes the end of a claim that nothing follows any more; undefined for none. */
function describeOrphan(claim: Claim, events: readonly LoopEvent[]): EventDraft | undefined {
  const { sequence, content } = claim;
  const { key, action, effect, reserve } = content;
  if (action === "handoff" || effect === "read") return undefined;
  if (action === "model")
    return {
      ...placeOf(claim),
      type: "action.resolved",
      content: { key, claim: sequence, resolution: "orphaned", reserve },
    };
  const isSaid = events
    .filter((event) => event.type === "action.unknown")
    .some((event) => event.content.claim === sequence && event.content.status === "withdrawn");
  if (isSaid) return undefined;
  return {
    ...placeOf(claim),
    type: "action.unknown",
    content: { key, claim: sequence, action, name: content.tool, status: "withdrawn" },
  };
}

function placeOf({ turn, call, parentCall }: Claim | Request) {
  return parentCall === undefined ? { turn, call } : { turn, call, parentCall };
}
