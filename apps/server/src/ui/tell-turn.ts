/**
 * Tells one turn of a run to a stream, as chunks: from its beginning to where it ends or waits for
 * somebody, and then says that this is all. Turns that try the same words again are told as one
 * with it, and a provider that is asked again by itself is waited for.
 */
import { type RunState, readRunState } from "@turnseal/host";
import type { SessionHost } from "../session-host.ts";
import type { EventStream } from "../stream/event-stream.ts";
import type { RunSink } from "../stream/watch-run.ts";
import { followTries, type Tries } from "./follow-tries.ts";
import { describeReceipt } from "./read-transcript.ts";
import { isRetry } from "./retries.ts";
import { openMessage, type ToldMessage } from "./told-message.ts";

export interface TurnToTell {
  readonly host: SessionHost;
  readonly run: string;
  readonly turn: number;
  /** The last turn that is known to try the same words again. */
  readonly lastTry?: number;
  /** How many steps the reader has: the last of them is told anew, and all after it. */
  readonly steps: number;
  /** The run may come to rest without it: then nothing is told. */
  readonly isGuess?: boolean;
  /** Somebody has decided since: a state of this event or before is no longer so. */
  readonly decidedAt?: number;
}

/** How long a run is looked at that was blocked, before a page is told so. */
const BLOCKED_SETTLE_MS = 300;
/** How often an inbox is looked at until its rows are taken in, and after which pauses. */
const [UNREAD_LOOKS_MAX, UNREAD_PAUSE_MS] = [300, 100];

export function tellTurn(stream: EventStream, told: TurnToTell): RunSink {
  const { host, run, turn: first, lastTry: last = 0, steps, decidedAt = -1, isGuess } = told;
  const message = openMessage(stream, { run, turn: first, steps });
  const tries = followTries({ first, last }, message);
  const endings = createEndings({ host, run, first, message, tries });
  // A store that does not answer now may do so when the reader comes back.
  const attempt = (ending: Promise<unknown>): void => void ending.catch(() => stream.cut());
  // At once: a reader who loses the connection knows by it where to go on.
  if (isGuess !== true) message.begin();
  const look = (state: RunState): void => {
    if (message.isOver()) return;
    if (state.blocked !== undefined) attempt(endings.blame());
    const { provider } = state;
    tries.awaitRetry(provider?.until !== undefined && provider.repeats === undefined);
    const turn = tries.turn();
    if (tries.isRetried() && state.turns === turn) return;
    if (isClosed(state, turn)) finish("stop");
    if (isGuess === true && isAtRest(state, turn)) attempt(endings.leave());
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

interface Telling extends Pick<TurnToTell, "host" | "run"> {
  readonly first: number;
  readonly message: ToldMessage;
  readonly tries: Tries;
}

/** The ways in which a message ends. */
function createEndings({ host, run, first, message, tries }: Telling) {
  const { chunks } = message;
  let isAsked = false;
  // A row is deleted after its state was told: nothing tells the state again.
  const isUnread = async (): Promise<boolean> => {
    for (let left = UNREAD_LOOKS_MAX; left > 0 && !message.isOver(); left -= 1) {
      if (!(await host.stores.inbox.has(run))) return false;
      await new Promise((resume) => setTimeout(resume, UNREAD_PAUSE_MS));
    }
    return true;
  };
  return {
    /** Ends it, unless a turn tries the same words again: then its state is given. */
    finish: async (finishReason: FinishReason): Promise<RunState | undefined> => {
      if (message.isOver()) return undefined;
      const turn = tries.turn();
      if (chunks.hasFailed() && (await isRetry(host, run, turn + 1)) && !message.isOver()) {
        tries.tryAgain();
        return readRunState(host, run);
      }
      if (!message.claimEnd()) return undefined;
      message.endParts();
      const turns = tries.turn() - first + 1;
      for (const receipt of await host.stores.receipts.list(run, first, turns))
        message.send(describeReceipt(receipt.turn, receipt.id));
      message.send({ type: "finish", finishReason });
      message.close();
      return undefined;
    },
    /** Nothing will come, unless somebody has said something that is not read yet. */
    leave: async (): Promise<void> => {
      if ((await isUnread()) || !isAtRest(await readRunState(host, run), tries.turn())) return;
      if (message.claimEnd()) message.close();
    },
    /** What is said and not read yet may be what is waited for: then the state is told again. */
    ask: async (): Promise<boolean> => {
      if (isAsked || (await isUnread())) return false;
      const state = await readRunState(host, run);
      if (isAsked || message.isOver() || !isAsking(state, tries.turn())) return false;
      isAsked = true;
      message.begin();
      chunks.ask(state.requests);
      return true;
    },
    /** Nothing will come before somebody mends what the worker lacks. */
    blame: async (): Promise<void> => {
      // A worker that has what was missing takes the message in before it says so.
      await new Promise((resume) => setTimeout(resume, BLOCKED_SETTLE_MS));
      if (await isUnread()) return;
      const { blocked } = await readRunState(host, run);
      if (blocked === undefined || !message.claimEnd()) return;
      message.endParts();
      const words = `the agent cannot continue: ${blocked.words}`;
      message.send({ type: "data-blocked", data: { ...blocked, words } });
      message.send({ type: "error", errorText: words });
      message.close();
    },
  };
}

/** The turn is over, and the run has decided how it goes on, or waits for a provider. */
function isClosed({ status, turn, turns, provider }: RunState, wanted: number): boolean {
  const isDecided = status === "waiting" || turn !== null || provider !== undefined;
  return status === "done" || (turns >= wanted && isDecided);
}

/** The turn waits for somebody. */
function isAsking({ status, turn, requests }: RunState, wanted: number): boolean {
  return turn === wanted && status === "waiting" && requests.length > 0;
}

/** The run waits for the next word, and the turn has not begun. */
function isAtRest({ status, turn, turns }: RunState, wanted: number): boolean {
  return status === "waiting" && turn === null && turns < wanted;
}
