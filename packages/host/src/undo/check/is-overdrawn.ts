/**
 * Two rollbacks of one family that start at the same moment do not see each other, and each gets
 * the whole remainder. So each looks again before its first turn, when its own start is visible.
 * The last to look sees the other, and at most one of them goes on.
 */

import type { RunProjection } from "@turnseal/folds";
import type { Stores } from "@turnseal/ports";
import { type Amounts, listUnits, PERIOD_KINDS } from "@turnseal/protocol";
import { createReadEffects } from "../find/read-effects.ts";
import { readRollbackPlan } from "../find/rollback-chain.ts";
import { grantRollback } from "../plan/grant-rollback.ts";
import { readRemainingBudgets } from "../plan/read-remaining-budgets.ts";

/** True for a rollback that was granted more of what its run had left than is there by now. */
export async function isOverdrawn(
  projection: RunProjection,
  stores: Stores,
  nowMs: number,
): Promise<boolean> {
  const { rollback, steps = [] } = (await readRollbackPlan(stores, projection)) ?? {};
  const given = projection.spec?.grant;
  if (rollback === undefined || rollback.granted === true || given === undefined) return false;
  const found = await readRemainingBudgets(
    rollback.run,
    { stores, read: createReadEffects(stores) },
    { nowMs, checking: projection.run },
  );
  const [own, ...above] = found.kind === "read" ? found.budgets : [];
  if (own === undefined) return false;
  const left = grantRollback(own, above, { undos: steps.map(({ loop }) => loop), nowMs });
  const { budget, perPeriod = {} } = left;
  return (
    isMore(given.budget, budget) ||
    PERIOD_KINDS.some((kind) => isMore(given.perPeriod?.[kind], perPeriod[kind]))
  );
}

function isMore(given: Amounts = {}, left: Amounts = {}): boolean {
  return listUnits(given).some((unit) => (given[unit] ?? 0) > (left[unit] ?? 0));
}
