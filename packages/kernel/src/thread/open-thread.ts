/**
 * A conversation that goes on where the thread of its prompt ended.
 *
 * Between two times at which entries are left out, each request is the one before it with something
 * at its end.
 */
import type { ModelMessage } from "@turnseal/ports";
import type { ContextSpec, Strategy } from "@turnseal/protocol";
import type { BuiltRequest } from "../context/build-request.ts";
import { type Conversation, type NextRequest, refuseContext } from "../context/conversation.ts";
import { estimateMessage, estimateSettings } from "../context/estimate-tokens.ts";
import { toSent } from "../context/foreign-answers.ts";
import { measureMessages } from "../context/measure-request.ts";
import { refuseFileBytes, sumFileBytes } from "../context/message-files.ts";
import { findRatio } from "../context/token-ratio.ts";
import { CONTEXT_TOKENS_DEFAULT, THREAD_ENTRIES_MAX } from "../limits.ts";
import { succeed } from "../outcome.ts";
import { closeCalls } from "./close-calls.ts";
import { findStrategy } from "./strategies/find-strategy.ts";
import type { Room } from "./strategies/strategy.ts";
import type { ShownEntries, Thread } from "./thread.ts";

interface ThreadGiven {
  readonly tokensMax: number | undefined;
  /** What the prompt wants to be shown. */
  readonly context: ContextSpec | undefined;
  /** True when there are no new words: the turn before ran out of rounds. */
  readonly continues: boolean;
}

export function openThread(
  thread: Thread,
  built: BuiltRequest,
  { tokensMax = CONTEXT_TOKENS_DEFAULT, context = FLAT, continues }: ThreadGiven,
): Conversation {
  const isEmpty = thread.count() + thread.pending().length === 0;
  // What was refused is not shown again, and so lacks nothing.
  if (!thread.isRefused()) thread.say(closeCalls(thread));
  const callFrom = thread.count() + thread.pending().length;
  // Where nothing of before is shown, there would be nothing to go on with.
  if (!continues || isEmpty || context.strategy === "none") thread.say([built.words]);
  const entriesMax = context.last ?? THREAD_ENTRIES_MAX;
  let estimate = 0;
  let canShrink = true;
  return {
    next: () => {
      const ratio = thread.ratio() / 1_000;
      const planned = planRequest(thread, built, {
        strategy: context.strategy,
        limits: { tokensMax, entriesMax, ratio, callFrom },
      });
      estimate = planned.estimate;
      const contextTokens = Math.ceil(estimate * ratio);
      const refused = refuseFileBytes(planned.request.fileBytes);
      if (refused !== undefined) return refused;
      return contextTokens > tokensMax
        ? refuseContext(contextTokens, tokensMax)
        : succeed({ ...planned.request, contextTokens });
    },
    hear: (answer) => thread.say([answer]),
    add: (news) => thread.say(news),
    correct: (inputTokens) => {
      const ratio = findRatio(inputTokens, estimate, tokensMax);
      if (ratio !== undefined) thread.raiseRatio(Math.ceil(ratio * 1_000));
    },
    mayShrink: () => {
      const mayShrink = canShrink && thread.isRefused() && thread.entries().length > 1;
      if (mayShrink) canShrink = false;
      return mayShrink;
    },
    close: thread.release,
  };
}

const FLAT: ContextSpec = { strategy: "flat" };

interface Planned {
  readonly request: NextRequest;
  readonly estimate: number;
}

function planRequest(
  thread: Thread,
  { settings, head }: BuiltRequest,
  { strategy, limits }: { readonly strategy: Strategy; readonly limits: Omit<Room, "fixedTokens"> },
): Planned {
  const fixedTokens = estimateSettings(settings) + sumTokens(head);
  const smaller = findStrategy(strategy)(thread, head, { ...limits, fixedTokens });
  const current = thread.shown();
  const isSame = smaller === undefined && thread.head() !== null && isSameHead(current.head, head);
  const shown: ShownEntries = smaller ?? { ...current, head };
  const leftCount = shown.from - current.from;
  const news = [...thread.pending()];
  const left = thread
    .entries()
    .slice(0, leftCount)
    .map(({ message }) => message);
  // What was said before the call may not be recorded yet.
  const leftNews = news.slice(0, Math.max(0, leftCount - left.length));
  left.push(...leftNews);
  const first = [...shown.head, ...shown.kept];
  const { tokens, bytes, fileBytes } = thread.size();
  const request: NextRequest = {
    settings,
    // Put together when it is sent: nothing is recorded of the thread before that.
    messages: (by) => {
      const isOwn = thread.countForeign(by) === 0;
      // Most often nothing has to be looked at: what was sent before is sent again.
      const sent = isOwn ? thread.sent() : toSent(listEntries(thread), by);
      return first.concat(
        leftCount === 0 ? sent : sent.slice(leftCount),
        toSent(news.slice(leftNews.length), by),
      );
    },
    // Each entry counts with the comma before it.
    messageBytes: () => bytes - bytesOf(left) + (first.length === 0 ? -1 : measureMessages(first)),
    fileBytes: fileBytes - sumFileBytes(left) + sumFileBytes(first),
    countForeign: thread.countForeign,
    news,
    leftOut: [],
    thread: {
      name: thread.name,
      previous: thread.head(),
      at: thread.count(),
      strategy: smaller === undefined ? "append" : strategy,
      ...(isSame ? {} : { shown }),
      onRecorded: (context, since) =>
        thread.record({ head: context, since, ...(isSame ? {} : { shown }) }),
      onRefused: thread.refuse,
    },
  };
  const estimate = fixedTokens + sumTokens(shown.kept) + tokens - sumTokens(left);
  return { request, estimate };
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

function sumTokens(messages: readonly ModelMessage[]): number {
  return messages.reduce((sum, message) => sum + estimateMessage(message), 0);
}
