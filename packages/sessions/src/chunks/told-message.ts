import { formatGenerationId } from "@turnseal/protocol/events";
import type { EventStream } from "../watch/event-stream.ts";
import { createTurnChunks, type TurnChunks } from "./turn-chunks.ts";
import { DONE, renderChunk, type UiChunk } from "./ui-chunk.ts";

/** A message as a reader gets it: begun once, and ended once. */
export interface ToldMessage {
  readonly chunks: TurnChunks;
  begin(): void;
  send(chunk: UiChunk): void;
  isOver(): boolean;
  /** True for the one caller that ends it. */
  claimEnd(): boolean;
  /** Takes back what is not stored: no part follows. */
  endParts(): void;
  /** Ends the stream. */
  close(): void;
}

export interface MessageToTell {
  readonly run: string;
  /** The first turn that tries its words. */
  readonly turn: number;
  /** How many steps the reader has. The last of them is sent again, with all that follow. */
  readonly steps: number;
}

export function openMessage(stream: EventStream, { run, turn, steps }: MessageToTell): ToldMessage {
  const send = (chunk: UiChunk): void => stream.send(renderChunk(chunk));
  const skipped = skipSteps(steps, send);
  const chunks = createTurnChunks(skipped.emit);
  let [isBegun, isOver] = [false, false];
  const begin = (): void => {
    if (isBegun) return;
    isBegun = true;
    const messageId = formatGenerationId(run, turn);
    send({ type: "start", messageId, messageMetadata: { run, turn } });
  };
  return {
    ...{ chunks, begin, send },
    isOver: () => isOver,
    claimEnd: () => {
      const isFirst = !isOver;
      isOver = true;
      return isFirst;
    },
    endParts: () => {
      begin();
      chunks.end();
      skipped.end();
    },
    close: () => {
      stream.send(DONE);
      stream.end();
    },
  };
}

/** Leaves out the steps that a reader has, and restarts the last of them. */
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
