import type { LoopEvent } from "@turnseal/protocol";
import type { TurnJournalOptions } from "../step/step.ts";

/** The events of the turn so far: the recorded ones, and those made since. */
export function eventsOf({
  recorded,
  appender,
}: Pick<TurnJournalOptions, "recorded" | "appender">): readonly LoopEvent[] {
  return [...recorded.events, ...appender.sinceMark()];
}
