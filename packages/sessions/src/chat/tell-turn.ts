/**
 * Sends one turn of a run to a stream, as chunks: from its beginning to its end or to an open
 * request, and then the mark of the end. Turns that retry the same words are part of it, and it
 * waits for a provider that is retried automatically.
 */
import { type RunState, readRunState } from "@turnseal/host";
import type { NamedBlock } from "@turnseal/views";
import { followTries, type Tries } from "../chunks/follow-tries.ts";
import { openMessage, type ToldMessage } from "../chunks/told-message.ts";
import type { UiChunk } from "../chunks/ui-chunk.ts";
import type { SessionHost } from "../session-host.ts";
import type { EventStream } from "../watch/event-stream.ts";
import type { RunSink } from "../watch/watch-run.ts";
import { BLOCKED_SETTLE_MS } from "./find-taker.ts";
import { findLateDecisions, type SentDecisions } from "./late-decisions.ts";
import { describeReceipt } from "./read-transcript.ts";
import { isRetry } from "./retries.ts";

export interface TurnToTell {
  /** If the run comes to rest before it begins, nothing is sent. */
  readonly turn: number;
  /** How many steps the reader has. The last of them is sent again, and all after it. */
  readonly steps: number;
  /** A person has decided since: a state of this event or before is out of date. */
  readonly decidedAt?: number;
  /** The decisions of the page. The answer names those that came too late. */
  readonly sent?: SentDecisions;
}

interface TurnOfRun extends TurnToTell {
  readonly host: SessionHost;
  readonly run: string;
  /** The last turn that is known to try the same words again. */
  readonly lastTry: number;
}

/** How often an inbox is read until its rows are taken in, and the pauses between. */
const [UNREAD_LOOKS_MAX, UNREAD_PAUSE_MS] = [300, 100];

export function tellTurn(stream: EventStream, told: TurnOfRun): RunSink {
  const { host, run, turn: first, lastTry: last, steps, decidedAt = -1 } = told;
  const message = openMessage(stream, { run, turn: first, steps });
  const tries = followTries({ first, last }, message);
  const endings = createEndings({ host, run, first, message, tries, sent: told.sent });
  // A store that does not answer now may do so when the reader comes back.
  const attempt = (ending: Promise<unknown>): void => void ending.catch(() => stream.cut());
  const look = (state: RunState): void => {
    if (message.isOver()) return;
    // At once: a reader who loses the connection knows by it where to go on.
    if ((state.turn ?? state.turns) >= first) message.begin();
    if (state.blocked !== undefined) attempt(endings.blame());
    const { provider } = state;
    tries.awaitRetry(provider?.until !== undefined && provider.repeats === undefined);
    const turn = tries.turn();
    if (tries.isRetried() && state.turns === turn) return;
    if (isClosed(state, turn)) finish("stop");
    if (isAtRest(state, turn)) attempt(endings.leave());
    if (message.isOver() || !isAsking(state, turn) || state.sequence <= decidedAt) return;
    attempt(ask());
  };
  const finish = (reason: FinishReason): void =>
    attempt(
      endings.finish(reason).then((retried) => {
        if (retried !== undefined) look(retried);
      }),
    );
  const ask = async (): Promise<void> => {
    if (await endings.ask()) finish("tool-calls");
  };
  return {
    event: (event) => {
      if (!message.isOver()) tries.event(event);
    },
    delta: (_, delta) => {
      if (!message.isOver()) tries.delta(delta);
    },
    state: (_, state) => look(state),
    end: () => finish("stop"),
    drained: stream.drained,
    cut: stream.cut,
  };
}

type FinishReason = "stop" | "tool-calls";

interface Telling extends Pick<TurnOfRun, "host" | "run"> {
  readonly first: number;
  readonly sent: SentDecisions | undefined;
  readonly message: ToldMessage;
  readonly tries: Tries;
}

/** The ways in which a message ends. */
function createEndings({ host, run, first, message, tries, sent }: Telling) {
  const { chunks } = message;
  let isAsked = false;
  // A row is deleted after its state was sent: the state is not sent again.
  const isUnread = async (): Promise<boolean> => {
    for (let left = UNREAD_LOOKS_MAX; left > 0 && !message.isOver(); left -= 1) {
      if (!(await host.stores.inbox.has(run))) return false;
      await new Promise((resume) => setTimeout(resume, UNREAD_PAUSE_MS));
    }
    return true;
  };
  return {
    /** Ends it, unless a turn retries the same words: then it returns the state. */
    finish: async (finishReason: FinishReason): Promise<RunState | undefined> => {
      if (message.isOver()) return undefined;
      const turn = tries.turn();
      if (chunks.hasFailed() && (await isRetry(host, run, turn + 1)) && !message.isOver()) {
        tries.tryAgain();
        return readRunState(host, run);
      }
      if (!message.claimEnd()) return undefined;
      message.endParts();
      if (sent !== undefined)
        for (const late of await findLateDecisions(host, { run, turn: first }, sent))
          message.send(late);
      const turns = tries.turn() - first + 1;
      for (const receipt of await host.stores.receipts.list(run, first, turns))
        message.send(describeReceipt(receipt.turn, receipt.id));
      message.send({ type: "finish", finishReason });
      message.close();
      return undefined;
    },
    /** Nothing more comes, unless an unread message waits. */
    leave: async (): Promise<void> => {
      if ((await isUnread()) || !isAtRest(await readRunState(host, run), tries.turn())) return;
      if (message.claimEnd()) message.close();
    },
    /** An unread message may be the awaited one: the state is sent again after it is read. */
    ask: async (): Promise<boolean> => {
      if (isAsked || (await isUnread())) return false;
      const state = await readRunState(host, run);
      if (isAsked || message.isOver() || !isAsking(state, tries.turn())) return false;
      isAsked = true;
      message.begin();
      chunks.ask(state.requests);
      return true;
    },
    /** The worker lacks something: the run waits until an operator provides it. */
    blame: async (): Promise<void> => {
      // A worker that has what was missing takes the message in before it says so.
      await new Promise((resume) => setTimeout(resume, BLOCKED_SETTLE_MS));
      if (await isUnread()) return;
      const { blocked } = await readRunState(host, run);
      if (blocked === undefined || !message.claimEnd()) return;
      message.endParts();
      for (const chunk of describeBlock(blocked)) message.send(chunk);
      message.close();
    },
  };
}

/** Tells a page that the agent does not go on, and why. */
export function describeBlock(blocked: NamedBlock): readonly UiChunk[] {
  const words = `the agent cannot continue: ${blocked.words}`;
  return [
    { type: "data-blocked", data: { ...blocked, words } },
    { type: "error", errorText: words },
  ];
}

/** The turn is over, and the run has decided how it goes on, or waits for a provider. */
function isClosed({ status, turn, turns, provider }: RunState, wanted: number): boolean {
  const isDecided = status === "waiting" || turn !== null || provider !== undefined;
  return status === "done" || (turns >= wanted && isDecided);
}

/** The turn waits for a person. */
function isAsking({ status, turn, requests }: RunState, wanted: number): boolean {
  return turn === wanted && status === "waiting" && requests.length > 0;
}

/** The run waits for the next word, and the turn has not begun. */
function isAtRest({ status, turn, turns, blocked }: RunState, wanted: number): boolean {
  return status === "waiting" && blocked === undefined && turn === null && turns < wanted;
}
