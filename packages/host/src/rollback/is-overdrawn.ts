/**
 * Two rollbacks of one family that are asked for at the same moment do not see each other, and each
 * is granted all that is left. So each looks again before its first turn, when its own start can be
 * seen: whichever looks last sees the other, and at most one of them goes on.
 */
import type { Stores } from "@turnseal/ports";
import { type Amounts, listUnits, PERIOD_KINDS } from "@turnseal/protocol";
import type { RunProjection } from "../projection/run-projection.ts";
import { grantRollback } from "./grant-rollback.ts";
import { createReadDeeds } from "./read-deeds.ts";
import { readPurses } from "./read-purses.ts";
import { readRollbackPlan } from "./rollback-chain.ts";

/** True for a rollback that was granted more of what its run had left than is there by now. */
export async function isOverdrawn(
  projection: RunProjection,
  stores: Stores,
  nowMs: number,
): Promise<boolean> {
  const { rollback, steps = [] } = (await readRollbackPlan(stores, projection)) ?? {};
  const given = projection.spec?.grant;
  if (rollback === undefined || rollback.granted === true || given === undefined) return false;
  const found = await readPurses(
    rollback.run,
    { stores, read: createReadDeeds(stores) },
    { nowMs, looking: projection.run },
  );
  const [own, ...above] = found.kind === "read" ? found.purses : [];
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
