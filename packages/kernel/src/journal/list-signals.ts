/** Signals that came while a prompt was at work (spec/lifecycle.md §8.9). */
import type { BlobRef } from "@turnseal/protocol";
import type { Frame } from "../resume/frame.ts";
import type { HeardSignal, SignalSpan } from "../step/journal.ts";
import type { TurnJournalOptions } from "../step/step.ts";
import { eventsOf } from "./events-of.ts";

/**
 * Lists signals of a name that are recorded before the latest event of the call. Only those are
 * certain to be in the log for every worker: a resume finds the same.
 */
export async function listSignals(
  frame: Frame,
  { name, fromMs, after, most }: SignalSpan,
  options: Pick<TurnJournalOptions, "recorded" | "appender">,
): Promise<readonly HeardSignal[]> {
  const untilMs = frame.wallMs();
  const found: { readonly sequence: number; readonly payload: BlobRef }[] = [];
  for (const event of eventsOf(options)) {
    if (event.type !== "signal.received" || event.content.kind !== "signal") continue;
    const { content, sequence, at } = event;
    const atMs = Date.parse(at);
    const isMeant = content.name === name && content.wait === undefined;
    if (isMeant && sequence > after && atMs >= fromMs && atMs < untilMs)
      found.push({ sequence, payload: content.payload });
  }
  const heard: HeardSignal[] = [];
  for (const { sequence, payload } of found.slice(0, most))
    heard.push({ sequence, payload: await options.appender.content.read(payload) });
  return heard;
}
