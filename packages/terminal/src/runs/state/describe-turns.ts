import { type Amounts, defaultTurns, type RunBounds } from "@turnseal/protocol";
import { countOf } from "../../screen/count-of.ts";
import { formatAmounts } from "../../screen/format-amounts.ts";

interface Bounded {
  readonly bounds: Partial<RunBounds>;
  readonly budget: Amounts;
}

/** The bounds of the turns of a run, in words. */
export function describeTurns({ bounds, budget }: Bounded): string {
  const { awaits = [], deadlineAt, turnsMax = defaultTurns(bounds).turnsMax } = bounds;
  if (turnsMax !== undefined) return `at most ${countOf(turnsMax, "turn")}`;
  const limits = [
    ...(Object.keys(budget).length === 0 ? [] : [`its budget (${formatAmounts(budget)})`]),
    ...(deadlineAt === undefined ? [] : [`its deadline ${deadlineAt}`]),
  ];
  const held = limits.length === 0 ? "a cancel only: no budget, no deadline" : limits.join(" and ");
  return `no turnsMax: one turn for each ${awaits.join(" or ")}; bounded by ${held}`;
}
