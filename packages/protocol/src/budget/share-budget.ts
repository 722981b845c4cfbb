/** What each of several may spend, so that all of them together pass no cap. */
import {
  AMOUNT_MAX,
  type Amounts,
  type Caps,
  committed,
  listUnits,
  type Spending,
  type Unit,
} from "./budget.ts";
import { kindsOf, periodOf } from "./period.ts";

interface Sharing {
  /** How many there are. */
  readonly among: number;
  /** What one of them costs beside what it is given. */
  readonly each: Amounts;
  readonly at: string;
}

/**
 * An equal part of what is left, rounded down, for each unit that has a cap: of the whole, or of
 * the periods of this time.
 */
export function shareBudget(
  { budget, perCall = {}, perPeriod = {} }: Caps,
  spending: Spending,
  { among, at, each }: Sharing,
): Amounts {
  const kinds = kindsOf(perPeriod);
  const share: Partial<Record<Unit, number>> = {};
  const left = (unit: Unit): number => {
    const ofRun = (budget[unit] ?? AMOUNT_MAX) - (committed(spending)[unit] ?? 0);
    const ofPeriods = kinds.map((kind) => {
      const latest = spending.periodic?.[kind];
      const before = latest?.period === periodOf(kind, at) ? latest.amounts : {};
      return (perPeriod[kind]?.[unit] ?? AMOUNT_MAX) - (before[unit] ?? 0);
    });
    return Math.min(ofRun, ...ofPeriods);
  };
  const periodic = kinds.map((kind) => perPeriod[kind] ?? {});
  for (const unit of listUnits(budget, perCall, ...periodic)) {
    const part = Math.floor(left(unit) / Math.max(1, among));
    const most = Math.min(part, perCall[unit] ?? AMOUNT_MAX) - (each[unit] ?? 0);
    share[unit] = Math.max(0, most);
  }
  return share as Amounts;
}
