/** The frames of a stream, as bytes of `text/event-stream`. */
import type { RunState } from "@turnseal/host";
import { type EventEnvelope, formatGenerationId } from "@turnseal/protocol/events";
import type { LiveDelta } from "@turnseal/protocol/streaming";

const encoder = new TextEncoder();

/** An event, whose id a reader comes back with. */
export function renderEvent(event: EventEnvelope): Uint8Array {
  return encoder.encode(`event: event\nid: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`);
}

/** A piece of a message. It has no id: a reader cannot continue after it. */
export function renderDelta(delta: LiveDelta): Uint8Array {
  const { run, turn, kind, epoch, offset, text } = delta;
  const generationId = formatGenerationId(run, turn);
  const data = { generationId, message: messageOf(delta), kind, epoch, offset, text };
  return encoder.encode(`event: delta\ndata: ${JSON.stringify(data)}\n\n`);
}

export function renderState(state: RunState): Uint8Array {
  return encoder.encode(`event: state\ndata: ${JSON.stringify(state)}\n\n`);
}

/** A comment, so that proxies see that the connection is used. */
export const KEEP_ALIVE: Uint8Array = encoder.encode(": here\n\n");

/** The name under which the event will stand, once the message is whole. */
export function messageOf({ kind, key, part }: Pick<LiveDelta, "kind" | "key" | "part">): string {
  return kind === "tool-output" ? key : `${key}.${part}`;
}
