/** Acts on a page's request, and returns the turn that the page then watches. */

import type { RunProjection } from "@turnseal/folds";
import { findMessage, HostError, readRunState } from "@turnseal/host";
import { type FileRef, isFileRef } from "@turnseal/protocol/files";
import { type Refusal, refuse } from "../refusal.ts";
import { decideApproval, keyOf, sendMessage, type Word } from "../send/send-to-run.ts";
import { type Agent, hasRun, type SessionHost } from "../session-host.ts";
import type { Chat } from "./find-chat.ts";
import type { ChatDecisions, ChatWords } from "./read-chat-message.ts";
import type { ChatToTell } from "./watch-chat.ts";

export type ChatTaken =
  | { readonly kind: "taken"; readonly told: ChatToTell }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export interface ChatTalk {
  readonly word: Word;
  readonly chat: Chat;
  readonly agent: Agent;
}

/** The first words start the run; later ones are messages to it. */
export async function takeWords(talk: ChatTalk, words: ChatWords): Promise<ChatTaken> {
  const { word, chat } = talk;
  const { host, run, caller } = word;
  const files = await keepFiles(talk, words);
  const given = files.length === 0 ? {} : { files };
  const message = keyOf(caller, words.key);
  // A page whose connection was lost sends its first words again.
  const isFirst = await host.isFirstMessage(run, message);
  if (!chat.isBegun || isFirst) {
    const isBegun = await begin(talk, { input: { text: words.text, ...given }, message });
    // A start of an edited agent is refused, and the message has its turn all the same.
    if (isBegun || isFirst) return { kind: "taken", told: { turn: 1, steps: 0 } };
  }
  const before = await host.show(run);
  const told = await sendMessage(word, { text: words.text, key: words.key, ...given });
  if (told.kind === "refused") return told;
  const { message: id = "" } = told;
  const next = (before?.sequence ?? 0) + 1;
  const known =
    told.status === "known" ? await findMessage(host.stores.log, { run, message: id }) : undefined;
  const from = known ?? next;
  return { kind: "taken", told: { message: id, from, spec: before?.spec ?? undefined } };
}

/** False where other words were first, of the same person in another tab: these come after them. */
async function begin(
  { word: { host, run, caller }, chat: { key }, agent: { loop, ...authority } }: ChatTalk,
  { input, message }: { readonly input: object; readonly message: string },
): Promise<boolean> {
  if (key === undefined) return false;
  const start = { ...authority, key, message, by: caller.id };
  try {
    // The host takes any input, and the loop's own schema judges it.
    await host.start(loop, input as never, start);
  } catch (error) {
    const isTaken = error instanceof HostError && error.code === "RUN_CONFLICT";
    if (isTaken && (await hasRun(host, run))) return false;
    throw error;
  }
  host.lookAt?.(run);
  return true;
}

/**
 * The turn that a page should watch after it has everything up to an event; undefined when all is
 * at rest.
 */
export async function findUnderWay(
  host: SessionHost,
  { run, isBegun }: Chat,
  seen: number | undefined,
): Promise<number | undefined> {
  if (!isBegun) return undefined;
  const isUnread = await host.stores.inbox.has(run);
  const { status, turn, turns, sequence, requests, provider } = await readRunState(host, run);
  // The message of a failed turn goes on with the next request to the provider.
  if (provider?.until !== undefined && provider.repeats === undefined) return turns;
  const isLate = seen !== undefined && seen < sequence;
  // An unread message may be the one that the turn waits for.
  if (turn !== null) return requests.length > 0 && !isLate && !isUnread ? undefined : turn;
  // The page has not yet seen the end of a turn that ended meanwhile. That comes first.
  if (isLate && (await hasEndedAfter(host, run, { seen, turn: turns }))) return turns;
  // Between two turns it goes on by itself, or by a stored message.
  const isMoving = status === "running" || isUnread;
  if (isMoving && status !== "done") return turns + 1;
  return isLate && turns > 0 ? turns : undefined;
}

/** The most events after the page's last one in which the end of a turn is searched. */
const UNSEEN_READ_MAX = 200;

async function hasEndedAfter(
  { stores }: SessionHost,
  run: string,
  { seen, turn }: { readonly seen: number; readonly turn: number },
): Promise<boolean> {
  if (seen < 0) return false;
  const events = await stores.log.read(run, seen + 1, UNSEEN_READ_MAX);
  // A page that is so far behind has not seen the end.
  if (events.length === UNSEEN_READ_MAX) return true;
  return events.some((event) => event.type === "turn.closed" && event.turn === turn);
}

/** The turn that is open, or the last one. */
export function currentTurn(run: RunProjection | undefined): number {
  return Math.max(1, lastTurn(run));
}

/** A run that was started and not yet driven begins with its first turn. */
function lastTurn(run: RunProjection | undefined): number {
  return run === undefined ? 1 : (run.openTurn?.turn ?? run.turns);
}

async function keepFiles({ word, chat }: ChatTalk, { files }: ChatWords): Promise<FileRef[]> {
  const { host, run } = word;
  const kept: FileRef[] = [];
  for (const file of files) {
    if (isFileRef(file)) kept.push(file);
    else if (chat.key !== undefined) kept.push(await host.keepStartFile(chat.key, file));
    else kept.push(await host.keepFile(run, file));
  }
  return kept;
}

/**
 * Decides what is open. Requests that are already decided, or that never existed, change nothing:
 * the page gets the state of the turn.
 */
export async function takeDecisions(
  { word, chat }: ChatTalk,
  { decisions, place, steps }: ChatDecisions,
): Promise<ChatTaken> {
  const { host, run } = word;
  if (!chat.isBegun) return { kind: "refused", refusal: refuse("RUN_UNKNOWN") };
  const before = await host.show(run);
  const open = new Set(before?.openTurn?.asked.map(({ id }) => id));
  const meant = decisions.filter(({ approval }) => open.has(approval));
  for (const { approval, isApproved, reason } of meant) {
    const choice = isApproved ? "approve" : "reject";
    const told = await decideApproval(word, { approval, choice, reason });
    if (told.kind === "refused") return told;
  }
  const isOfRun = place !== undefined && place.run === run;
  const turn = isOfRun ? Math.min(place.turn, currentTurn(before)) : currentTurn(before);
  // Where nothing was decided, nothing will move: the turn stands as it stood.
  const decided = meant.length === 0 ? {} : { decidedAt: before?.sequence ?? 0 };
  const sent = { by: word.caller.id, decisions };
  return { kind: "taken", told: { turn, steps, sent, ...decided } };
}
