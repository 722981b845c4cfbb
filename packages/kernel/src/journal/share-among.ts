/** What each item of a fan-out may spend where each is a run of its own (spec/flow.md). */
import { type Amounts, shareBudget } from "@turnseal/protocol";
import { formatInstant } from "../format-instant.ts";
import type { Frame } from "../resume/frame.ts";
import type { FanOutWidth } from "../step/action.ts";
import type { Step } from "../step/step.ts";
import { capsOf, spendingAt } from "./find-room.ts";

type SharedStep = Pick<Step, "recorded" | "caps" | "spending" | "clock" | "appender" | "handed">;

/** As it was fixed with the list, where that is recorded; else of what is left now. */
export function shareAmong(
  frame: Frame,
  { path, items }: FanOutWidth,
  { recorded, caps, spending, clock, appender, handed }: SharedStep,
): Amounts {
  for (const event of recorded.events) {
    if (event.type !== "fanout.fixed" || event.call !== frame.call) continue;
    if (event.content.path === path) return event.content.share ?? {};
  }
  const at = formatInstant(Math.max(clock.now(), appender.lastMs()));
  const sharing = { among: items, each: { handoffs: 1 }, at };
  return shareBudget(capsOf({ caps, frame }), spendingAt({ spending, handed }, at), sharing);
}
