/**
 * A run as it happens, for a program in the same process: `for await (const piece of
 * host.stream(run))`.
 *
 * Each piece is handed over before the next is made, so that a slow reader is waited for and
 * nothing piles up. Pieces of a text, joined, are the text that the session has in the end.
 */

import type { Stores } from "@turnseal/ports";
import { formatEnvelopeId } from "@turnseal/protocol/events";
import type {
  StreamHandlers,
  ToolApprovalRequiredInfo,
  ToolCallInfo,
  ToolErrorInfo,
  ToolResultInfo,
} from "@turnseal/protocol/streaming";
import { type DrivePorts, driveHandlers } from "../read/session/drive-handlers.ts";
import { readRun } from "../state/read-run.ts";

export type RunPiece =
  /** Words of the answer, of the model's reasoning, or of a tool: one message has one name. */
  | {
      readonly kind: "text" | "reasoning" | "tool-output";
      readonly message: string;
      readonly text: string;
    }
  | ({ readonly kind: "tool-call" } & ToolCallInfo)
  | ({ readonly kind: "tool-result" } & ToolResultInfo)
  | ({ readonly kind: "tool-error" } & ToolErrorInfo)
  /** The call waits for a person: see `requests`. */
  | ({ readonly kind: "approval" } & ToolApprovalRequiredInfo);

export interface StreamPorts extends DrivePorts {
  readonly stores: Stores;
}

/** Tells what happens from now on, until the run is driven no further. */
export async function* streamRun(
  run: string,
  ports: StreamPorts,
  drive: () => Promise<unknown>,
): AsyncGenerator<RunPiece, void, void> {
  const pieces = createHandover<RunPiece>();
  const stop = new AbortController();
  const finish = new AbortController();
  const after = await findEnd(run, ports);
  const driven = drive();
  const told = driveHandlers(ports, run, toHandlers(pieces.put), {
    ...(after === undefined ? {} : { after }),
    ...{ signal: stop.signal, finish: finish.signal },
  });
  const end = (): void => finish.abort();
  driven.then(end, end);
  told.then(pieces.close, pieces.close);
  try {
    for (;;) {
      const piece = await pieces.take();
      if (piece === undefined) break;
      yield piece;
    }
    await told;
    await driven;
  } finally {
    // A reader that leaves does not stop the run.
    stop.abort();
    pieces.close();
  }
}

/** More envelopes than an event has: what follows it is what is new. */
const WHOLE_EVENT = 999_999;

/** The last place of a run that has begun. */
async function findEnd(run: string, { stores }: StreamPorts): Promise<string | undefined> {
  const sequence = (await readRun(stores, run))?.sequence ?? 0;
  return sequence === 0 ? undefined : formatEnvelopeId({ run, sequence, index: WHOLE_EVENT });
}

function toHandlers(put: (piece: RunPiece) => Promise<void>): StreamHandlers {
  return {
    onAssistantMessage: async () => {},
    onReasoningStart: async () => {},
    onAssistantMessageDelta: ({ message, delta }) => put({ kind: "text", message, text: delta }),
    onReasoningDelta: ({ message, delta }) => put({ kind: "reasoning", message, text: delta }),
    onToolOutputDelta: ({ toolCallId, delta }) =>
      put({ kind: "tool-output", message: toolCallId, text: delta }),
    onToolCall: (info) => put({ kind: "tool-call", ...info }),
    onToolResult: (info) => put({ kind: "tool-result", ...info }),
    onToolNotFound: (info) => put({ kind: "tool-error", ...info }),
    onToolError: (info) => put({ kind: "tool-error", ...info }),
    onToolApprovalRequired: (info) => put({ kind: "approval", ...info }),
  };
}

interface Handover<Item> {
  /** Settles when the item was taken, or the reader is gone. */
  put(item: Item): Promise<void>;
  /** The next item; undefined at the end. */
  take(): Promise<Item | undefined>;
  close(): void;
}

/** One item at a time, from one giver to one taker. */
function createHandover<Item>(): Handover<Item> {
  let waiting: { readonly item: Item; readonly taken: () => void } | undefined;
  let isClosed = false;
  let wake = (): void => {};
  return {
    put: (item) =>
      new Promise((taken) => {
        if (isClosed) return taken();
        waiting = { item, taken };
        wake();
      }),
    take: async () => {
      while (waiting === undefined && !isClosed)
        await new Promise<void>((resume) => {
          wake = resume;
        });
      const given = waiting;
      waiting = undefined;
      given?.taken();
      return given?.item;
    },
    close: () => {
      isClosed = true;
      waiting?.taken();
      wake();
    },
  };
}
