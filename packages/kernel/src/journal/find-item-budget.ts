/**
 * Computes the share of the budget for each item of a fan-out whose items are runs (spec/flow.md).
 */
import { type Amounts, shareBudget } from "@turnseal/protocol";
import type { Frame } from "../resume/frame.ts";
import type { FanOutWidth } from "../step/journal.ts";
import type { Step } from "../step/step.ts";
import { formatInstant } from "../values/format-instant.ts";
import { capsOf, spendingAt } from "./find-room.ts";

type SharedStep = Pick<Step, "recorded" | "authority" | "clock" | "appender" | "handed">;

/** As it was fixed with the list, where that is recorded; else of what is left now. */
export function findItemBudget(
  frame: Frame,
  { path, items }: FanOutWidth,
  { recorded, authority, clock, appender, handed }: SharedStep,
): Amounts {
  for (const event of recorded.events) {
    if (event.type !== "fanout.fixed" || event.call !== frame.call) continue;
    if (event.content.path === path) return event.content.share ?? {};
  }
  const at = formatInstant(Math.max(clock.now(), appender.lastMs()));
  const sharing = { among: items, each: { handoffs: 1 }, at };
  return shareBudget(capsOf({ authority, frame }), spendingAt({ authority, handed }, at), sharing);
}
