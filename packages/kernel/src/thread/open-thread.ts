/**
 * A conversation that goes on where the thread of its prompt ended.
 *
 * Between two times at which entries are left out or summarised, each request is the one before it
 * with something at its end.
 */
import type { Blob } from "@turnseal/ports";
import { type ContextSpec, isTaskStrategy, type SummarizedSpan } from "@turnseal/protocol";
import type { BuiltRequest } from "../context/build-request.ts";
import { type Conversation, refuseContext, type Summarizing } from "../context/conversation.ts";
import { estimateMessage, estimateSettings, sumTokens } from "../context/estimate-tokens.ts";
import { refuseFileBytes } from "../context/message-files.ts";
import type { Tail } from "../context/tail.ts";
import { findRatio } from "../context/token-ratio.ts";
import { SUMMARY_SHARE_DEFAULT, SUMMARY_TOKENS_MAX, THREAD_ENTRIES_MAX } from "../limits.ts";
import { succeed } from "../outcome.ts";
import { closeCalls } from "./close-calls.ts";
import { planRequest } from "./plan-request.ts";
import { renderSpan, type Span } from "./strategies/render-span.ts";
import { renderSummary } from "./strategies/render-summary.ts";
import type { Room } from "./strategies/strategy.ts";
import { countSpan, type MadeSummary, summaryTokensMax } from "./strategies/summary.ts";
import type { Thread } from "./thread.ts";
import type { Threads } from "./threads.ts";

export interface ThreadGiven {
  /** The most tokens of a request, and whether the bound model says so. */
  readonly tokensMax: number;
  readonly isStated: boolean;
  /** The context settings of the prompt. */
  readonly context: ContextSpec | undefined;
  /** True when there are no new words: the turn before ran out of rounds. */
  readonly continues: boolean;
  /** Names what is kept of entries that are summarised. */
  readonly sealKept: Threads["sealKept"];
}

export function openThread(thread: Thread, built: BuiltRequest, given: ThreadGiven): Conversation {
  const { tokensMax, isStated, context = FLAT, continues, sealKept } = given;
  const isEmpty = thread.count() + thread.pending().length === 0;
  // A refused request is not shown again, so its calls need no results.
  if (!thread.isRefused()) thread.say(closeCalls(thread));
  const callFrom = thread.count() + thread.pending().length;
  // Where nothing of before is shown, there would be nothing to go on with.
  if (!continues || isEmpty || context.strategy === "none") thread.say([built.words]);
  const fixedTokens = estimateSettings(built.settings) + sumTokens(built.head);
  let tail: Tail | undefined;
  const measureRoom = (share: number): Room => ({
    tokensMax: Math.floor(tokensMax * share),
    entriesMax: context.last ?? THREAD_ENTRIES_MAX,
    ...{ callFrom, ratio: thread.ratio() / 1_000 },
    fixedTokens: fixedTokens + (tail === undefined ? 0 : estimateMessage(tail.message)),
  });
  const share = context.share ?? SUMMARY_SHARE_DEFAULT;
  const windowTokens = isStated ? tokensMax : undefined;
  const summaries = openSummaries(thread, {
    sealKept,
    windowTokens,
    measureRoom: () => measureRoom(share),
  });
  let [estimate, fileBytes] = [0, 0];
  let canShrink = true;
  return {
    ...(context.strategy === "summary" ? { summarizing: summaries } : {}),
    endWith: (last) => {
      tail = last;
    },
    next: () => {
      const rooms = { whole: measureRoom(1), share: measureRoom(share) };
      const planned = planRequest(thread, built, {
        // The strategies for tasks show the same of the thread as `flat`.
        strategy: isTaskStrategy(context.strategy) ? "flat" : context.strategy,
        ...{ rooms, windowTokens, tail },
        ...summaries.take(),
      });
      estimate = planned.estimate;
      ({ fileBytes } = planned.request);
      const contextTokens = Math.ceil(estimate * rooms.whole.ratio);
      const refused = refuseFileBytes(planned.request.fileBytes);
      if (refused !== undefined) return refused;
      return contextTokens > tokensMax
        ? refuseContext(contextTokens, tokensMax)
        : succeed({ ...planned.request, contextTokens });
    },
    hear: (answer) => thread.say([answer]),
    add: (news) => thread.say(news),
    correct: (inputTokens) => {
      // The size of files says nothing about words.
      if (fileBytes > 0) return;
      const ratio = findRatio(inputTokens, estimate, tokensMax);
      if (ratio !== undefined) thread.raiseRatio(Math.ceil(ratio * 1_000));
    },
    withhold: thread.refuse,
    mayShrink: () => {
      const mayShrink = canShrink && thread.isRefused() && thread.entries().length > 1;
      if (mayShrink) canShrink = false;
      return mayShrink;
    },
    close: thread.release,
  };
}

const FLAT: ContextSpec = { strategy: "flat" };

/** The rough size of the frame around a summary. */
const FRAME_TOKENS = 240;

interface TakenSummary {
  readonly made: MadeSummary | undefined;
  readonly blobs: readonly Blob[];
}

interface SummaryParts {
  readonly sealKept: Threads["sealKept"];
  readonly windowTokens: number | undefined;
  readonly measureRoom: () => Room;
}

/** Finds the entries to summarise before the next request, and counts the cost. */
function openSummaries(
  thread: Thread,
  { sealKept, windowTokens, measureRoom }: SummaryParts,
): Summarizing & { take(): TakenSummary } {
  const nothing: TakenSummary = { made: undefined, blobs: [] };
  let taken = nothing;
  let span: Span | undefined;
  return {
    find: (readTokensMax) => {
      const room = measureRoom();
      const count = countSpan(thread, room);
      if (count === 0) return undefined;
      const ratio = Math.max(1, room.ratio);
      span = renderSpan(thread, count, Math.floor(readTokensMax / ratio));
      if (span === undefined) {
        taken = { made: { kind: "none", fault: "too-large" }, blobs: [] };
        return undefined;
      }
      const { from, to, text } = span;
      const most = Math.max(1, summaryTokensMax(room) - FRAME_TOKENS);
      const tokensMax = Math.min(most, SUMMARY_TOKENS_MAX);
      return { thread: thread.name, from, to, text, tokensMax, windowTokens };
    },
    put: (text) => {
      taken =
        span === undefined || text === undefined
          ? { made: { kind: "none", fault: "failed" }, blobs: [] }
          : makeSummary(span, text, sealKept);
    },
    take: () => {
      const result = taken;
      taken = nothing;
      return result;
    },
  };
}

function makeSummary(
  { from, to, text: entries, hasEarlier }: Span,
  text: string,
  sealKept: Threads["sealKept"],
): TakenSummary {
  const { kept, mark } = sealKept(entries);
  const { digest, size, mediaType } = kept;
  const summarized: SummarizedSpan = { from, to, entries: { digest, size, mediaType } };
  const message = renderSummary(text, summarized, hasEarlier);
  return { made: { kind: "summary", message, summarized }, blobs: [kept, mark] };
}
