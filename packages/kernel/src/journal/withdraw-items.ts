/**
 * What items of a fan-out leave behind that were told to stop: nothing of them stays open when the
 * turn goes on without them.
 *
 * 1. Whom they asked is no longer asked: the request is withdrawn, and a later answer is none.
 * 2. A claim whose end is not known stays so, and is said to be withdrawn: nothing waits for a word
 *    on it. A model that was asked is counted in full. What only reads has changed nothing.
 * 3. A run that was started goes on, and is waited for.
 */
import { type EventOf, judgeApproval, type LoopEvent } from "@turnseal/protocol";
import type { EventDraft } from "../log/appender.ts";
import type { Frame } from "../resume/frame.ts";
import { findItem, type ItemOfCall, type ItemPlace, listItemCalls } from "../resume/item-place.ts";
import { listHanded } from "../resume/list-handed.ts";
import type { TurnJournalOptions } from "../step/step.ts";

type Claim = EventOf<"action.claimed">;
type Request = EventOf<"approval.requested" | "question.asked">;

/**
 * Answers with the items that another run works for: they stay as they are. All are of one fan-out.
 */
export function withdrawItems(
  { call }: Frame,
  items: readonly ItemPlace[],
  { recorded, appender }: Pick<TurnJournalOptions, "recorded" | "appender">,
): ReadonlySet<number> {
  const handed = new Set<number>();
  const [first] = items;
  if (first === undefined) return handed;
  const events = [...recorded.events, ...appender.sinceMark()];
  const owned = groupByItem(events, { call, path: first.path });
  for (const { index } of items) {
    const own = owned.get(index) ?? [];
    for (const request of listRequests(own)) appender.push(() => describeWithdrawal(request));
    for (const claim of listClaims(own)) {
      if (claim.content.action === "handoff") handed.add(index);
      const draft = describeOrphan(claim, own);
      if (draft !== undefined) appender.push(() => draft);
    }
  }
  return handed;
}

/** What is said of the calls in a fan-out, and of the waits of its items, by item. */
function groupByItem(
  events: readonly LoopEvent[],
  fanOut: Pick<ItemOfCall, "call" | "path">,
): ReadonlyMap<number, LoopEvent[]> {
  const calls = listItemCalls(events, fanOut);
  const handed = listHanded(events, fanOut);
  const owned = new Map<number, LoopEvent[]>();
  for (const event of events) {
    if (event.call === undefined) continue;
    const index =
      event.call === fanOut.call
        ? (handed.get(keyOf(event)) ?? waitOf(event, fanOut.path))
        : calls.get(event.call);
    if (index === undefined) continue;
    const own = owned.get(index);
    if (own === undefined) owned.set(index, [event]);
    else own.push(event);
  }
  return owned;
}

function keyOf({ content }: LoopEvent): string {
  return "key" in content && typeof content.key === "string" ? content.key : "";
}

/** The item that a wait is said of: that is no call of its own. */
function waitOf(event: LoopEvent, fanOut: string): number | undefined {
  switch (event.type) {
    case "question.asked":
    case "question.answered":
    case "approval.expired": {
      const { path } = event.content;
      return path === undefined ? undefined : findItem(path, fanOut);
    }
    default:
      return undefined;
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

/** Claims of which nothing says how they ended, nor that another took their place. */
function listClaims(events: readonly LoopEvent[]): Claim[] {
  const ended = new Set(
    events.flatMap((event) =>
      event.type === "action.settled" || event.type === "action.resolved"
        ? [event.content.claim]
        : [],
    ),
  );
  return events
    .filter((event) => event.type === "action.claimed")
    .filter(({ sequence }) => !ended.has(sequence));
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
