import { BUDGET_UNITS } from "../budget/budget.ts";
import type { Grant } from "./grant.ts";

/**
 * True when `inner` allows nothing that `outer` does not. What cannot be compared is not within.
 */
export function isWithin(inner: Grant, outer: Grant): boolean {
  return (
    inner.tools.every((tool) => outer.tools.includes(tool)) &&
    BUDGET_UNITS.every((unit) => isNoLooser(inner.budget[unit], outer.budget[unit])) &&
    isNoLooser(inner.expiresAt, outer.expiresAt)
  );
}

/** A bound that is absent is the loosest of all. Instants compare as their texts do. */
function isNoLooser<Bound extends number | string>(
  inner: Bound | undefined,
  outer: Bound | undefined,
): boolean {
  if (outer === undefined) return true;
  return inner !== undefined && inner <= outer;
}
