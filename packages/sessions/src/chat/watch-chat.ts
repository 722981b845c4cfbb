/** Streams to a page one turn of its chat, or the turn that takes its message. */
import { findTurn, readRunState } from "@turnseal/host";
import type { EnvelopePlace } from "@turnseal/protocol/events";
import { describeQueued } from "@turnseal/views";
import { DONE, renderChunk, type UiChunk } from "../chunks/ui-chunk.ts";
import { MESSAGE_SIGNAL } from "../send/send-to-run.ts";
import type { SessionHost } from "../session-host.ts";
import type { EventStream } from "../watch/event-stream.ts";
import { type RunWatch, type TailedStream, watchRun } from "../watch/watch-run.ts";
import { findTaker, type SentMessage, type Taker } from "./find-taker.ts";
import { findLastTry } from "./retries.ts";
import { describeBlock, type TurnToTell, tellTurn } from "./tell-turn.ts";

export type ChatToTell = TurnToTell | SentMessage;

export function watchChat(stream: EventStream, watched: TailedStream, told: ChatToTell): RunWatch {
  let leave = (): void => {};
  let isLeft = false;
  const watchTurn = async (turn: TurnToTell): Promise<void> => {
    const { host, run } = watched;
    const after = await placeBefore(host, run, turn.turn);
    const lastTry = await findLastTry(host, run, turn.turn);
    if (isLeft) return;
    const watch = watchRun(tellTurn(stream, { ...turn, host, run, lastTry }), {
      ...watched,
      after,
    });
    ({ leave } = watch);
    await watch.caughtUp;
  };
  const watchMessage = async (sent: SentMessage): Promise<void> => {
    const search = findTaker(watched, sent);
    ({ leave } = search);
    const taker = await search.found;
    if (taker === undefined || isLeft) return;
    if (taker.kind === "taken") return watchTurn({ turn: taker.turn, steps: 0 });
    for (const chunk of await describeTaker(watched, taker)) stream.send(renderChunk(chunk));
    stream.send(DONE);
    stream.end();
  };
  return {
    caughtUp: "message" in told ? watchMessage(told) : watchTurn(told),
    leave: () => {
      isLeft = true;
      leave();
    },
  };
}

/** Where the log stands before the first entry of a turn. */
async function placeBefore(
  { stores }: SessionHost,
  run: string,
  turn: number,
): Promise<EnvelopePlace | undefined> {
  const head = await stores.log.readHead(run);
  const end = { run, sequence: (head?.sequence ?? 0) + 1 };
  const from = await findTurn(stores.log, end, turn);
  return from <= 1 ? undefined : { run, sequence: from - 1, index: ENVELOPE_INDEX_MAX };
}

/** After every envelope of an event. */
const ENVELOPE_INDEX_MAX = 999_999;

/** Tells a page why no turn has taken its message. */
async function describeTaker(
  { host, run }: TailedStream,
  taker: Exclude<Taker, { readonly kind: "taken" }>,
): Promise<readonly UiChunk[]> {
  switch (taker.kind) {
    case "refused":
      return [{ type: "error", errorText: `the run refused the message: ${taker.why}` }];
    case "ended":
      return [{ type: "error", errorText: "the run ended before it took the message" }];
    case "blocked": {
      const { blocked } = await readRunState(host, run);
      return blocked === undefined ? [] : describeBlock(blocked);
    }
    case "rest": {
      const projection = await host.show(run);
      const words =
        taker.message === "recorded" ? NO_TURN : describeQueued(projection, MESSAGE_SIGNAL);
      return words === undefined ? [] : [{ type: "data-queued", data: { words }, transient: true }];
    }
  }
}

const NO_TURN = "recorded: the agent takes no turn for a message";
