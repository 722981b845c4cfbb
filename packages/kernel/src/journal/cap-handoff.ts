/**
 * Caps a handoff in the tick of its claim (spec/run.md §10.2). Each unit that the caller counts by
 * period gets a cap, and the claim reserves it, so that no other handoff gets the same amount.
 */
import {
  addAmounts,
  areAmounts,
  capByPeriods,
  committed,
  digestOf,
  type Grant,
  listUnits,
} from "@turnseal/protocol";
import type { Failed } from "../outcome.ts";
import type { Step } from "../step/step.ts";
import { formatInstant } from "../values/format-instant.ts";
import { capsOf, refuseExcess, spendingAt } from "./find-room.ts";

/** The handoff as it is claimed, also with what was committed before it; any other as it is. */
export function capHandoff(step: Step): Step | Failed {
  const { action, asked, appender, clock } = step;
  const { before, spending } = step.authority;
  const { facts } = action;
  if (facts.action !== "handoff" || asked.facts.action !== "handoff") return step;
  const at = formatInstant(Math.max(clock.now(), appender.lastMs()));
  const budget = capByPeriods(facts.grant, capsOf(step), { spending: spendingAt(step, at), at });
  const known = addAmounts(before, committed(spending()));
  for (const amounts of [budget, known])
    if (!areAmounts(amounts)) return refuseUnits(listUnits(amounts));
  const grant: Grant = { ...facts.grant, budget };
  const slice = { grant, slice: digestOf(grant) };
  return {
    ...step,
    action: {
      ...action,
      facts: { ...facts, ...slice },
      reserve: () => addAmounts(budget, { handoffs: 1 }),
    },
    asked: { ...asked, facts: { ...asked.facts, ...slice, committed: known } },
  };
}

/** More units than amounts may have. */
function refuseUnits(units: ReturnType<typeof listUnits>): Failed {
  return refuseExcess({ cap: "budget", unit: units.at(-1) ?? "handoffs" });
}
