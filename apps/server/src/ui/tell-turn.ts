/**
 * Tells one turn of a run to a stream, as chunks: from its beginning to where it ends or waits for
 * somebody, and then says that this is all. Turns that try the same words again are told as one
 * with it, and a provider that is asked again by itself is waited for.
 */
import { type RunState, readRunState } from "@turnseal/host";
import type { EventEnvelope } from "@turnseal/protocol/events";
import { formatGenerationId, parseGenerationId } from "@turnseal/protocol/events";
import type { SessionHost } from "../session-host.ts";
import type { EventStream } from "../stream/event-stream.ts";
import type { RunSink } from "../stream/watch-run.ts";
import { describeReceipt } from "./read-transcript.ts";
import { isRetry } from "./retries.ts";
import { createTurnChunks } from "./turn-chunks.ts";
import { DONE, renderChunk, type UiChunk } from "./ui-chunk.ts";

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

/** Events of later turns that wait until it is known what these are. */
const LATER_MAX = 10_000;
/** How long a run is looked at that was blocked, before a page is told so. */
const BLOCKED_SETTLE_MS = 300;

export function tellTurn(stream: EventStream, told: TurnToTell): RunSink {
  const { host, run, turn: first, lastTry = 0, steps, decidedAt = -1, isGuess = false } = told;
  const generationId = formatGenerationId(run, first);
  let turn = first;
  /** The provider is asked again by a turn to come. */
  let isRetried = false;
  /** Told of later turns before it was known whose words they try. */
  let later: EventEnvelope[] = [];
  const send = (chunk: UiChunk): void => stream.send(renderChunk(chunk));
  const skipped = skipSteps(steps, send);
  const chunks = createTurnChunks(skipped.emit);
  let [isBegun, isOver] = [false, false];
  const begin = (): void => {
    if (isBegun) return;
    isBegun = true;
    send({ type: "start", messageId: generationId, messageMetadata: { run, turn: first } });
  };
  // At once: whoever loses the connection knows by it where to go on.
  if (!isGuess) begin();
  /** Goes on with the turn that tries the same words again. */
  const tryAgain = (): void => {
    turn += 1;
    isRetried = false;
    chunks.tryAgain();
    const waited = later;
    later = [];
    waited.forEach(take);
  };
  const take = (event: EventEnvelope): void => {
    const of = parseGenerationId(generationOf(event) ?? "")?.turn ?? 0;
    if (of === turn + 1 && (isRetried || of <= lastTry) && chunks.hasFailed()) tryAgain();
    if (of === turn) {
      begin();
      chunks.event(event);
    } else if (of > turn && later.length < LATER_MAX) later.push(event);
  };
  const finish = async (finishReason: "stop" | "tool-calls"): Promise<void> => {
    if (isOver) return;
    if (chunks.hasFailed() && (await isRetry(host, run, turn + 1)) && !isOver) {
      tryAgain();
      look(await readRunState(host, run));
      return;
    }
    if (isOver) return;
    isOver = true;
    begin();
    chunks.end();
    skipped.end();
    for (const receipt of await host.stores.receipts.list(run, first, turn - first + 1))
      send(describeReceipt(receipt.turn, receipt.id));
    send({ type: "finish", finishReason });
    stream.send(DONE);
    stream.end();
  };
  // A store that does not answer now may do so when the reader comes back.
  const over = (reason: "stop" | "tool-calls") => void finish(reason).catch(() => stream.cut());
  /** Nothing will come, unless somebody has said something that is not read yet. */
  const leave = async (): Promise<void> => {
    const isUnread = await host.stores.inbox.has(run);
    if (isUnread || isOver || !isAtRest(await readRunState(host, run), turn)) return;
    isOver = true;
    stream.send(DONE);
    stream.end();
  };
  /** What is said and not read yet may be what is waited for: then the state is told again. */
  const ask = async (): Promise<void> => {
    const isUnread = await host.stores.inbox.has(run);
    const state = await readRunState(host, run);
    if (isUnread || isOver || !isAsking(state, turn)) return;
    begin();
    chunks.ask(state.requests);
    over("tool-calls");
  };
  /** Nothing will come before somebody mends what the worker lacks. */
  const blame = async (): Promise<void> => {
    // A worker that has what was missing takes the message in before it says so.
    await new Promise((resume) => setTimeout(resume, BLOCKED_SETTLE_MS));
    const isUnread = await host.stores.inbox.has(run);
    const { blocked } = await readRunState(host, run);
    if (isUnread || isOver || blocked === undefined) return;
    isOver = true;
    begin();
    chunks.end();
    skipped.end();
    const words = `the agent cannot continue: ${blocked.words}`;
    send({ type: "data-blocked", data: { ...blocked, words } });
    send({ type: "error", errorText: words });
    stream.send(DONE);
    stream.end();
  };
  const look = (state: RunState): void => {
    if (isOver) return;
    if (state.blocked !== undefined) void blame().catch(() => stream.cut());
    const { provider } = state;
    isRetried = provider?.until !== undefined && provider.repeats === undefined;
    if (isRetried && state.turns === turn && chunks.hasFailed()) return;
    if (isClosed(state, turn)) over("stop");
    if (isGuess && isAtRest(state, turn)) void leave().catch(() => stream.cut());
    if (isOver || !isAsking(state, turn) || state.sequence <= decidedAt) return;
    void ask().catch(() => stream.cut());
  };
  return {
    event: (event) => {
      if (!isOver) take(event);
    },
    delta: (_, delta) => {
      if (isOver) return;
      if (delta.turn === turn + 1 && isRetried && chunks.hasFailed()) tryAgain();
      if (delta.turn !== turn) return;
      begin();
      chunks.delta(delta);
    },
    state: (_, state) => look(state),
    end: () => over("stop"),
    drained: stream.drained,
    cut: stream.cut,
  };
}

/** The turn that an event is about. */
function generationOf(event: EventEnvelope): string | undefined {
  return event.type === "user-abort" ? event.content.generationId : event.generationId;
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

/** Leaves out the steps that a reader has; the last of them is begun anew. */
function skipSteps(steps: number, send: (chunk: UiChunk) => void) {
  let left = steps;
  return {
    emit: (chunk: UiChunk): void => {
      if (left === 0) send(chunk);
      else if (chunk.type === "start-step") {
        left -= 1;
        if (left === 0) send({ type: "reset-step" });
      }
    },
    /** There are fewer than the reader has: what is in the last of its own was never stored. */
    end: (): void => {
      if (left > 0) send({ type: "reset-step" });
    },
  };
}
