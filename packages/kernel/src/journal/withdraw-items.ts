/**
 * What items of a fan-out leave behind that were told to stop: nothing of them stays open when the
 * turn goes on without them.
 *
 * 1. Whom they asked is no longer asked: the request is withdrawn, and a later answer is none.
 * 2. A claim whose end is not known stays so, and is said to be withdrawn: nothing waits for a word
 *    on it. A model that was asked is counted in full. What only reads has changed nothing.
 * 3. A run that was started is named by the end of its item, cancelled by whoever hosts it, and
 *    waited for.
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

/** What people were asked that is neither decided nor used. */
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

/** What is said of a claim that nobody follows any more; undefined where nothing is. */
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
