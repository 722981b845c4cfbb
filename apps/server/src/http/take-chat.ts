/** Does what a page says, and answers which turn it is to be told then. */
import { findAwaitedProvider, HostError, type RunProjection, readRunState } from "@turnseal/host";
import { type FileRef, isFileRef } from "@turnseal/protocol/files";
import { type Agent, hasRun, type SessionHost } from "../session-host.ts";
import type { Chat } from "./find-chat.ts";
import type { ChatDecisions, ChatWords } from "./read-chat-message.ts";
import { type Refusal, refuse } from "./refusal.ts";
import { decideApproval, keyOf, sendMessage, type Word } from "./tell-run.ts";

export type ChatTaken =
  | {
      readonly kind: "turn";
      readonly turn: number;
      readonly steps: number;
      readonly decidedAt?: number;
      readonly isGuess?: boolean;
    }
  /** It is said, and waits until somebody has decided what is open. */
  | { readonly kind: "queued"; readonly queued: string }
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
  if (!chat.isBegun || (await host.isFirstMessage(run, message))) {
    if (await begin(talk, { input: { text: words.text, ...given }, message }))
      return { kind: "turn", turn: 1, steps: 0 };
  }
  const before = await host.show(run);
  const told = await sendMessage(word, { text: words.text, key: words.key, ...given });
  if (told.kind === "refused") return told;
  const provider = before === undefined ? undefined : findAwaitedProvider(before);
  if (provider?.repeats !== undefined && told.queued !== undefined)
    return { kind: "queued", queued: told.queued };
  if (told.status === "known")
    return { kind: "turn", turn: (await findUnderWay(host, chat, -1)) ?? 1, steps: 0 };
  if ((before?.openTurn?.asked ?? []).length > 0)
    return { kind: "queued", queued: told.queued ?? NO_TURN };
  const turn = lastTurn(before) + 1 + (before?.awaited?.count ?? 0);
  if (provider === undefined) return { kind: "turn", turn, steps: 0 };
  // The next turn tries the words before these again, and may find the provider away again.
  return { kind: "turn", turn: turn + 1, steps: 0, isGuess: true };
}

const NO_TURN = "recorded: the agent takes no turn for a message";

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
 * The turn that a page should be told which was told everything up to an event; undefined when all
 * is at rest.
 */
export async function findUnderWay(
  host: SessionHost,
  { run, isBegun }: Chat,
  seen: number | undefined,
): Promise<number | undefined> {
  if (!isBegun) return undefined;
  const isUnread = await host.stores.inbox.has(run);
  const { status, turn, turns, sequence, requests, provider } = await readRunState(host, run);
  // The message of the turn that failed goes on when the provider is asked again.
  if (provider?.until !== undefined && provider.repeats === undefined) return turns;
  const isLate = seen !== undefined && seen < sequence;
  // What was said and is not read yet may be what the turn waits for.
  if (turn !== null) return requests.length > 0 && !isLate && !isUnread ? undefined : turn;
  // What ended in between was not told, whatever comes next.
  if (isLate && (await hasEndedAfter(host, run, { seen, turn: turns }))) return turns;
  // Between two turns it goes on by itself, or by what was said.
  const isMoving = status === "running" || isUnread;
  if (isMoving && status !== "done") return turns + 1;
  return isLate && turns > 0 ? turns : undefined;
}

/** Events after what a page was told in which the end of a turn is looked for. */
const UNSEEN_READ_MAX = 200;

async function hasEndedAfter(
  { stores }: SessionHost,
  run: string,
  { seen, turn }: { readonly seen: number; readonly turn: number },
): Promise<boolean> {
  if (seen < 0) return false;
  const events = await stores.log.read(run, seen + 1, UNSEEN_READ_MAX);
  // A page that is so far behind was not told the end.
  if (events.length === UNSEEN_READ_MAX) return true;
  return events.some((event) => event.type === "turn.closed" && event.turn === turn);
}

/** The turn that is open, or the last one. */
export function currentTurn(run: RunProjection | undefined): number {
  return Math.max(1, lastTurn(run));
}

/** One that was started and that nobody has driven yet begins with its first turn. */
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
 * Decides what is open. What was decided before, or was never asked, changes nothing: the page is
 * told how the turn stands.
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
  return { kind: "turn", turn, steps, ...decided };
}
