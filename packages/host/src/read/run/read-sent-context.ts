/**
 * Shows one model request of a run, entry by entry, with the entries that were left out and its
 * cost.
 *
 * The requests of a turn are its rounds, from one, in the order of the log. A request that was made
 * again, after a crash, keeps its number; the latest attempt is read.
 */
import { estimateMessage } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import {
  type AddedContext,
  type ClaimOf,
  isClaimOf,
  isSettledOf,
  type LoopEvent,
  type ModelMessage,
  type SettledOf,
  type SummaryFault,
} from "@turnseal/protocol";
import { readEvents } from "../../state/load-projection.ts";
import { findBefore, findTurn } from "../session/find-event.ts";
import { readSent, type SentMessage } from "../session/read-model-messages.ts";

export interface SentEntry {
  /** In the thread; null for what stands before its entries, and for a request without a thread. */
  readonly number: number | null;
  readonly role: ModelMessage["role"];
  /**
   * The source of the message: the backend and the model of an answer, the tool of a result, or the
   * part of the runtime that writes as the user; `notes` for the notes at its end.
   */
  readonly by: string | null;
  /** By estimate; null if it was erased. */
  readonly tokens: number | null;
  /** Null if it was erased. */
  readonly message: ModelMessage | null;
}

/** Tokens as the provider counted them; what it did not say is left out. */
export type BilledTokens = Pick<
  SettledOf<"model">["content"],
  "inputTokens" | "outputTokens" | "cacheReadTokens" | "cacheWriteTokens" | "reasoningTokens"
>;

export interface SentContext {
  readonly run: string;
  readonly turn: number;
  readonly round: number;
  /** The event that claimed the request. */
  readonly event: number;
  readonly backend: string;
  readonly model: string;
  readonly thread: string | null;
  readonly entries: readonly SentEntry[];
  /** Entries of the thread that are not shown, or results that are not, without a thread. */
  readonly leftOut: number;
  /** The strategy that changed the context with this request; `append` if none did. */
  readonly strategy: AddedContext["strategy"];
  /** The numbers of the first entry that a summary stands for, and of the first after it. */
  readonly summarized: { readonly from: number; readonly to: number } | null;
  /** Why entries were left out with this request that should have been summarised. */
  readonly unsummarized: SummaryFault | null;
  /** Of the whole request, as it was reckoned when it was made; null if nothing limits it. */
  readonly contextTokens: number | null;
  /** Null if the request has no answer. */
  readonly billed: BilledTokens | null;
}

export interface RequestPlace {
  /** The last turn with a request, where it is not named. */
  readonly turn?: number | undefined;
  /** The last round of the turn, where it is not named. */
  readonly round?: number | undefined;
}

/** Reads what a request showed the model; undefined if the run has no such request. */
export async function readSentContext(
  stores: Pick<Stores, "log" | "blobs">,
  run: string,
  place: RequestPlace = {},
): Promise<SentContext | undefined> {
  const found = await findRequest(stores.log, run, place);
  if (found === undefined) return undefined;
  const { claim, turn, round, billed } = found;
  const { backend, model, context, contextTokens = null } = claim.content;
  const sent = await readSent(stores, claim);
  return {
    ...{ run, turn, round, event: claim.sequence, backend, model },
    thread: context.thread ?? null,
    entries: sent.map(toEntry),
    leftOut: countLeftOut(sent),
    ...{ strategy: context.strategy, unsummarized: context.unsummarized ?? null },
    summarized: findSummarized(sent),
    ...{ contextTokens, billed },
  };
}

interface FoundRequest {
  readonly claim: ClaimOf<"model">;
  readonly turn: number;
  readonly round: number;
  readonly billed: BilledTokens | null;
}

async function findRequest(
  log: Stores["log"],
  run: string,
  place: RequestPlace,
): Promise<FoundRequest | undefined> {
  const head = await log.readHead(run);
  if (head === undefined) return undefined;
  const end = { run, sequence: head.sequence + 1 };
  const isRequest = (event: LoopEvent) => isClaimOf("model", event);
  // Without a turn, a round is one of the last turn, and not of the last that had so many.
  const turn = place.turn ?? (await findBefore(log, end, isRequest))?.turn;
  if (turn === undefined) return undefined;
  let found: FoundRequest | undefined;
  const rounds = new Map<string, number>();
  for await (const event of readEvents(log, run, await findTurn(log, end, turn))) {
    if ((event.turn ?? turn) > turn) break;
    if (isSettledOf("model", event) && event.content.claim === found?.claim.sequence)
      found = { ...found, billed: pickBilled(event.content) };
    if (event.turn !== turn || !isClaimOf("model", event)) continue;
    const { key } = event.content;
    const round = rounds.get(key) ?? rounds.size + 1;
    rounds.set(key, round);
    if ((place.round ?? round) === round) found = { claim: event, turn, round, billed: null };
  }
  return found;
}

function pickBilled(content: BilledTokens): BilledTokens {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, reasoningTokens } = content;
  return {
    ...(inputTokens === undefined ? {} : { inputTokens }),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    ...(cacheReadTokens === undefined ? {} : { cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(reasoningTokens === undefined ? {} : { reasoningTokens }),
  };
}

function toEntry({ item, number, message, isTail }: SentMessage): SentEntry {
  const { role, by, origin } = item;
  const tool = message?.role === "tool" ? message.toolName : undefined;
  return {
    ...{ number, role },
    by: isTail === true ? "notes" : (by ?? tool ?? origin ?? null),
    tokens: message === undefined ? null : estimateMessage(message),
    message: message ?? null,
  };
}

function findSummarized(sent: readonly SentMessage[]): SentContext["summarized"] {
  const span = sent.find(({ summarized }) => summarized !== undefined)?.summarized;
  return span === undefined ? null : { from: span.from, to: span.to };
}

/** The numbers of a thread have no gap: the first that is shown says how many stand before it. */
function countLeftOut(sent: readonly SentMessage[]): number {
  const first = sent.find(({ number }) => number !== null);
  return first?.number ?? sent.filter(({ isLeftOut }) => isLeftOut).length;
}
