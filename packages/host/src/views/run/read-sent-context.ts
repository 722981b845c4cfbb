/**
 * What a model was sent in one request of a run, entry by entry, with what was left out and what it
 * cost.
 *
 * The requests of a turn are its rounds, from one, in the order of the log. A request that was made
 * again, after a crash, keeps its number; the latest attempt is the one that is read.
 */
import { estimateMessage } from "@turnseal/kernel";
import type { ModelMessage, Stores } from "@turnseal/ports";
import {
  type ClaimOf,
  isClaimOf,
  isSettledOf,
  type LoopEvent,
  type SettledOf,
} from "@turnseal/protocol";
import { readEvents } from "../../projection/load-projection.ts";
import { findBefore, findTurn } from "../session/find-event.ts";
import { readSent, type SentMessage } from "../session/read-model-messages.ts";

export interface SentEntry {
  /** In the thread; null for what stands before its entries, and for a request without a thread. */
  readonly number: number | null;
  readonly role: ModelMessage["role"];
  /**
   * Who said it: the backend and the model of an answer, or the tool of a result; `notes` for the
   * notes at its end.
   */
  readonly by: string | null;
  /** By estimate; null where it was erased. */
  readonly tokens: number | null;
  /** Null where it was erased. */
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
  /** Of the whole request, as it was reckoned when it was made; null where nothing limits it. */
  readonly contextTokens: number | null;
  /** Null where the request has no answer. */
  readonly billed: BilledTokens | null;
}

export interface RequestPlace {
  /** The last turn with a request, where it is not named. */
  readonly turn?: number | undefined;
  /** The last round of the turn, where it is not named. */
  readonly round?: number | undefined;
}

/** Reads what a request showed the model; undefined where the run has no such request. */
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
  const { role, by } = item;
  const tool = message?.role === "tool" ? message.toolName : undefined;
  return {
    ...{ number, role },
    by: isTail === true ? "notes" : (by ?? tool ?? null),
    tokens: message === undefined ? null : estimateMessage(message),
    message: message ?? null,
  };
}

/** The numbers of a thread have no gap: the first that is shown says how many stand before it. */
function countLeftOut(sent: readonly SentMessage[]): number {
  const first = sent.find(({ number }) => number !== null);
  return first?.number ?? sent.filter(({ isLeftOut }) => isLeftOut).length;
}
