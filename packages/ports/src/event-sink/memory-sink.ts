import type { CallEvent } from "@turnseal/protocol/trace";
import type { EventSink } from "./event-sink.ts";

/** The in-memory reference: keeps the events it gets. */
export function memorySink(): { readonly sink: EventSink; readonly events: readonly CallEvent[] } {
  const events: CallEvent[] = [];
  return { sink: (event) => void events.push(event), events };
}
