/** What each item of a fan-out may spend where each is a run of its own (spec/flow.md). */
import { type Amounts, shareBudget } from "@turnseal/protocol";
import { formatInstant } from "../format-instant.ts";
import type { Frame } from "../resume/frame.ts";
import type { FanOutWidth } from "../step/action.ts";
import type { TurnJournalOptions } from "../step/step.ts";
import { capsOf } from "./find-room.ts";

/** As it was fixed with the list, where that is recorded; else of what is left now. */
export function shareAmong(
  frame: Frame,
  { path, items }: FanOutWidth,
  { recorded, caps, spending, clock, appender }: TurnJournalOptions,
): Amounts {
  for (const event of recorded.events) {
    if (event.type !== "fanout.fixed" || event.call !== frame.call) continue;
    if (event.content.path === path) return event.content.share ?? {};
  }
  const at = formatInstant(Math.max(clock.now(), appender.lastMs()));
  const sharing = { among: items, each: { handoffs: 1 }, at };
  return shareBudget(capsOf({ caps, frame }), spending(), sharing);
}
