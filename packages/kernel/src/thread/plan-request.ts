/** Plans the next request of a thread: its shown entries, and its record. */

import { toSent, withoutName } from "@turnseal/folds";
import type { Blob } from "@turnseal/ports";
import type { ModelMessage, SummaryFault, ThreadStrategy } from "@turnseal/protocol";
import type { BuiltRequest } from "../context/build-request.ts";
import type { NextRequest } from "../context/conversation.ts";
import { sumTokens } from "../context/estimate-tokens.ts";
import { measureMessages } from "../context/measure-request.ts";
import { sumFileBytes } from "../context/message-files.ts";
import type { Tail } from "../context/tail.ts";
import { showFlat } from "./strategies/flat.ts";
import { showNone } from "./strategies/none.ts";
import type { Room } from "./strategies/strategy.ts";
import { type MadeSummary, showSummary } from "./strategies/summary.ts";
import type { ShownEntries, Thread } from "./thread.ts";

export interface Planned {
  readonly request: NextRequest;
  /** Its tokens. */
  readonly estimate: number;
}

interface PlanGiven {
  readonly strategy: ThreadStrategy;
  /** The end of the request. */
  readonly tail: Tail | undefined;
  readonly rooms: { readonly whole: Room; readonly share: Room };
  /** The most tokens, where the bound model says so. */
  readonly windowTokens: number | undefined;
  /** The summary of the entries, or the reason for its absence. */
  readonly made: MadeSummary | undefined;
  readonly blobs: readonly Blob[];
}

export function planRequest(
  thread: Thread,
  { settings, head }: BuiltRequest,
  given: PlanGiven,
): Planned {
  const plan = findPlan(thread, head, given);
  const current = thread.shown();
  const isSame = plan === undefined && thread.head() !== null && isSameHead(current.head, head);
  const shown: ShownEntries = plan?.shown ?? { ...current, head };
  const leftCount = shown.from - current.from;
  const news = [...thread.pending()];
  const left = thread
    .entries()
    .slice(0, leftCount)
    .map(({ message }) => message);
  // Words from before the call may not be recorded yet.
  const leftNews = news.slice(0, Math.max(0, leftCount - left.length));
  left.push(...leftNews);
  const first = [...shown.head, ...shown.kept].map(withoutName);
  const last = given.tail === undefined ? [] : [given.tail.message];
  const { tokens, bytes, fileBytes } = thread.size();
  const request: NextRequest = {
    settings,
    // Put together when it is sent: nothing is recorded of the thread before that.
    messages: (by) => {
      const isOwn = thread.countForeign(by) === 0;
      // Usually this needs no work: earlier messages are sent again.
      const sent = isOwn ? thread.sent() : toSent(listEntries(thread), by);
      const added = toSent(news.slice(leftNews.length), by);
      return first.concat(leftCount === 0 ? sent : sent.slice(leftCount), added, last);
    },
    // Each entry counts with the comma before it.
    messageBytes: () =>
      bytes - bytesOf(left) + bytesOf(last) + (first.length === 0 ? -1 : measureMessages(first)),
    fileBytes: fileBytes - sumFileBytes(left) + sumFileBytes(first),
    countForeign: thread.countForeign,
    news,
    leftOut: [],
    thread: {
      name: thread.name,
      previous: thread.head(),
      at: thread.count(),
      strategy: plan?.strategy ?? "append",
      ...(plan?.fault === undefined ? {} : { unsummarized: plan.fault }),
      ...(given.windowTokens === undefined ? {} : { windowTokens: given.windowTokens }),
      ...(isSame ? {} : { shown }),
      blobs: plan?.strategy === "summary" ? given.blobs : [],
      onRecorded: (context, since) =>
        thread.record({ head: context, since, ...(isSame ? {} : { shown }) }),
      onRefused: thread.refuse,
    },
    ...(given.tail === undefined ? {} : { tail: given.tail }),
  };
  const { fixedTokens } = given.rooms.whole;
  const estimate = fixedTokens + sumTokens(shown.kept) + tokens - sumTokens(left);
  return { request, estimate };
}

interface Plan {
  readonly shown: ShownEntries;
  readonly strategy: ThreadStrategy;
  readonly fault?: SummaryFault;
}

/** Decides how the shown entries change; undefined for no change. */
function findPlan(
  thread: Thread,
  head: readonly ModelMessage[],
  { strategy, rooms, made }: PlanGiven,
): Plan | undefined {
  switch (strategy) {
    case "summary":
      return showSummary(thread, head, rooms, made);
    case "flat":
      return nameShown(showFlat(thread, head, rooms.whole), strategy);
    case "none":
      return nameShown(showNone(thread, head, rooms.whole), strategy);
  }
}

function nameShown(shown: ShownEntries | undefined, strategy: ThreadStrategy): Plan | undefined {
  return shown === undefined ? undefined : { shown, strategy };
}

function listEntries(thread: Thread): readonly ModelMessage[] {
  return thread.entries().map(({ message }) => message);
}

function bytesOf(left: readonly ModelMessage[]): number {
  return left.length === 0 ? 0 : measureMessages(left) + 1;
}

function isSameHead(one: readonly ModelMessage[], other: readonly ModelMessage[]): boolean {
  return (
    one.length === other.length &&
    one.every((message, index) => {
      const second = other[index];
      return (
        (message.role === "system" || message.role === "user") &&
        second?.role === message.role &&
        second.text === message.text
      );
    })
  );
}
