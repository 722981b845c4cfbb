/** Reads a stream as a client would, for tests: frames in order, and waiting for the one wanted. */
import { KEYS, type Person } from "./sample-server.test.data.ts";

export interface Frame {
  readonly event: string;
  readonly id?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at what they expect to be there.
  readonly data: any;
}

export interface FrameReader {
  readonly status: number;
  readonly frames: Frame[];
  readonly comments: string[];
  /** Waits until a frame is there; rejects when the stream ends first. */
  until(isWanted: (frame: Frame) => boolean): Promise<Frame>;
  /** Waits for the end, however it comes. */
  ended: Promise<"ended" | "cut">;
  leave(): void;
}

export interface StreamRequest {
  readonly person: Person;
  readonly run: string;
  readonly after?: string;
}

export async function readFrames(
  { url }: { readonly url: string },
  { person, run, after }: StreamRequest,
): Promise<FrameReader> {
  const controller = new AbortController();
  const response = await fetch(`${url}/v1/runs/${run}/stream`, {
    headers: {
      authorization: `Bearer ${KEYS[person]}`,
      ...(after === undefined ? {} : { "last-event-id": after }),
    },
    signal: controller.signal,
  });
  const frames: Frame[] = [];
  const comments: string[] = [];
  const waiting = new Set<() => void>();
  let isOver = false;
  const read = async (): Promise<"ended" | "cut"> => {
    let text = "";
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk, { stream: true });
        const blocks = text.split("\n\n");
        text = blocks.pop() ?? "";
        for (const block of blocks) {
          if (block.startsWith(":")) comments.push(block);
          else frames.push(parseBlock(block));
        }
        for (const wake of waiting) wake();
      }
      return "ended";
    } catch {
      return "cut";
    } finally {
      isOver = true;
      for (const wake of waiting) wake();
    }
  };
  const ended = read();
  return {
    ...{ status: response.status, frames, comments, ended },
    until: async (isWanted) => {
      for (;;) {
        const found = frames.find(isWanted);
        if (found !== undefined) return found;
        if (isOver) throw new Error(`the stream ended before: ${JSON.stringify(frames)}`);
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
    },
    leave: () => controller.abort(),
  };
}

function parseBlock(block: string): Frame {
  const fields = new Map(
    block.split("\n").map((line): [string, string] => {
      const at = line.indexOf(": ");
      return [line.slice(0, at), line.slice(at + 2)];
    }),
  );
  const id = fields.get("id");
  return {
    event: fields.get("event") ?? "",
    ...(id === undefined ? {} : { id }),
    data: JSON.parse(fields.get("data") ?? "null"),
  };
}
