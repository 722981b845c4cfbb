/**
 * The strategy `summary`: when the shown entries pass a share of the window, it replaces the oldest
 * by a summary.
 *
 * 1. Each span is summarised once, before the request that would be too large. The summary stays at
 *    the beginning until the next one replaces it.
 * 2. Where there is none, or it is useless, the span is left out as with `flat`, and the reason is
 *    recorded.
 * 3. Little is not summarised: what passes the window then is left out.
 */
import type { ModelMessage, SummarizedSpan, SummaryFault } from "@turnseal/protocol";
import { estimateMessage, sumTokens } from "../../context/estimate-tokens.ts";
import type { ShownEntries } from "../thread.ts";
import { isOverfull, measureBlock } from "./block.ts";
import { showFlat } from "./flat.ts";
import { openWords } from "./newest-words.ts";
import type { Room, ThreadView } from "./strategy.ts";

/** A summary, as a share of what is shown before entries are summarised. */
const SUMMARY_MOST = 0.25;
/** The smallest span worth a summary, as a share of the same. */
const SPAN_LEAST = 0.125;

/** How many of the oldest entries should be summarised now; zero where none should. */
export function countSpan(thread: ThreadView, room: Room): number {
  if (thread.isRefused() || !isOverfull(thread, room)) return 0;
  const { from, kept } = thread.shown();
  const keepWords = openWords(thread);
  const extras = (dropped: number) => keepWords(from + dropped);
  const count = measureBlock(thread, room, extras, summaryTokensMax(room));
  const span = thread.entries().slice(0, count);
  const tokens = sumTokens([...kept, ...span.map(({ message }) => message)]);
  return tokens * room.ratio < room.tokensMax * SPAN_LEAST ? 0 : count;
}

/** The most tokens that a summary may have, by estimate. */
export function summaryTokensMax({ tokensMax, ratio }: Room): number {
  return Math.floor((tokensMax * SUMMARY_MOST) / ratio);
}

/** The result for a span: a message that replaces it, or the reason for its absence. */
export type MadeSummary =
  | {
      readonly kind: "summary";
      readonly message: ModelMessage;
      readonly summarized: SummarizedSpan;
    }
  | { readonly kind: "none"; readonly fault: SummaryFault };

export type SummaryPlan =
  | { readonly shown: ShownEntries; readonly strategy: "summary" }
  | { readonly shown: ShownEntries; readonly strategy: "flat"; readonly fault: SummaryFault };

interface Rooms {
  /** Of the window. */
  readonly whole: Room;
  /** The share of it from which on entries are summarised. */
  readonly share: Room;
}

/** Returns the entries shown from now on; undefined for no change. */
export function showSummary(
  thread: ThreadView,
  head: readonly ModelMessage[],
  { whole, share }: Rooms,
  made: MadeSummary | undefined,
): SummaryPlan | undefined {
  if (made === undefined) {
    const shown = showFlat(thread, head, whole);
    const fault = thread.isRefused() ? "refused" : "too-small";
    return shown === undefined ? undefined : { shown, strategy: "flat", fault };
  }
  const fault = made.kind === "none" ? made.fault : findFault(thread, share, made);
  if (made.kind === "summary" && fault === undefined)
    return { shown: putSummary(thread, head, made), strategy: "summary" };
  const shown = showFlat(thread, head, share);
  return shown === undefined ? undefined : { shown, strategy: "flat", fault: fault ?? "failed" };
}

type WithSummary = Extract<MadeSummary, { readonly kind: "summary" }>;

function putSummary(
  thread: ThreadView,
  head: readonly ModelMessage[],
  { message, summarized }: WithSummary,
): ShownEntries {
  const kept = [message, ...openWords(thread)(summarized.to)];
  return { head, kept, from: summarized.to, summarized };
}

/** Why a summary is of no use, if it is not. */
function findFault(thread: ThreadView, room: Room, made: WithSummary): SummaryFault | undefined {
  const { from, kept } = thread.shown();
  const span = thread.entries().slice(0, made.summarized.to - from);
  const spanTokens = sumTokens(span.map(({ message }) => message));
  const summaryTokens = estimateMessage(made.message);
  if (summaryTokens >= spanTokens + sumTokens(kept)) return "not-shorter";
  const shown = putSummary(thread, [], made);
  const tokens = room.fixedTokens + thread.size().tokens - spanTokens + sumTokens(shown.kept);
  const isLong = summaryTokens > summaryTokensMax(room);
  return isLong || Math.ceil(tokens * room.ratio) > room.tokensMax ? "no-room" : undefined;
}
