import type { Stores } from "@turnseal/ports";
import { type BlobRef, isBlobRef, type JsonValue, type LoopEvent } from "@turnseal/protocol";
import {
  isVendorEventType,
  pickCallEvents,
  type TraceEvent,
  toTrace,
} from "@turnseal/protocol/trace";
import { readEvents } from "../../state/load-projection.ts";
import { readContent } from "../../state/read-content.ts";

/** The LSEM trace of a run, turn by turn; with the words of its tools on request. */
export async function* traceRun(
  stores: Pick<Stores, "log" | "blobs">,
  run: string,
  { content = false }: { readonly content?: boolean | undefined } = {},
): AsyncGenerator<TraceEvent> {
  let turn: LoopEvent[] = [];
  for await (const event of readEvents(stores.log, run, 1)) {
    turn.push(event);
    if (event.type !== "turn.closed") continue;
    yield* await traceEvents(turn);
    turn = [];
  }
  yield* await traceEvents(turn);

  async function traceEvents(events: readonly LoopEvent[]): Promise<TraceEvent[]> {
    const words = new Map<LoopEvent, Record<string, JsonValue>>();
    for (const event of content ? events : [])
      if (event.type === "log" || isVendorEventType(event.type))
        words.set(event, await readWords(stores, event));
    return toTrace(pickCallEvents(events, (event) => words.get(event)));
  }
}

async function readWords(
  stores: Pick<Stores, "blobs">,
  { run, content }: LoopEvent,
): Promise<Record<string, JsonValue>> {
  const words: Record<string, JsonValue> = {};
  for (const [name, reference] of Object.entries(content)) {
    if (!isBlobRef(reference)) continue;
    // It has just been found to be one.
    const value = await readContent(stores, run, reference as unknown as BlobRef);
    if (value !== undefined) words[name] = value;
  }
  return words;
}
