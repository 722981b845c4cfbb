/** How much is handed to others, so that all of them together pass no cap. */
import {
  AMOUNT_MAX,
  type Amounts,
  addAmounts,
  type Caps,
  committed,
  listUnits,
  type Spending,
  type Unit,
} from "./budget.ts";
import { type ByPeriod, kindsOf, PERIOD_KINDS, periodOf } from "./period.ts";

interface Sharing {
  /** How many there are. */
  readonly among: number;
  /** The own cost of each, beside its share. */
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

interface Moment {
  readonly spending: Spending;
  readonly at: string;
}

/**
 * The budget of a slice: the caps that the request names, and one for each other unit that the
 * caller counts by period. That is the least amount that is left anywhere.
 */
export function capByPeriods(
  { budget, perPeriod: asked = {} }: Caps,
  caps: Caps,
  { spending, at }: Moment,
): Amounts {
  const { perPeriod = {} } = caps;
  const kinds = kindsOf(perPeriod);
  if (kinds.length === 0) return budget;
  const left = shareBudget(caps, spending, { among: 1, each: { handoffs: 1 }, at });
  const capped: Partial<Record<Unit, number>> = { ...budget };
  for (const unit of listUnits(...kinds.map((kind) => perPeriod[kind] ?? {}))) {
    if (budget[unit] !== undefined) continue;
    const wanted = kinds.map((kind) => asked[kind]?.[unit] ?? AMOUNT_MAX);
    capped[unit] = Math.min(left[unit] ?? 0, ...wanted);
  }
  return capped as Amounts;
}

/** A reservation for a run, and the periods in which it was counted. */
export interface Handed {
  readonly reserve: Amounts;
  readonly periods?: ByPeriod<string> | undefined;
}

/**
 * The spending as of a time. An open handoff of an earlier period counts in the present one too:
 * its run may spend the slice there (spec/grant.md §7.5).
 */
export function carryOpen(spending: Spending, open: Iterable<Handed>, at: string): Spending {
  const handed = [...open];
  let { periodic } = spending;
  for (const kind of PERIOD_KINDS) {
    const period = periodOf(kind, at);
    const earlier = handed.filter(({ periods }) => (periods?.[kind] ?? period) < period);
    const carried = earlier.map(({ reserve }) => reserve).reduce(addAmounts, {});
    if (listUnits(carried).length === 0) continue;
    const latest = periodic?.[kind];
    const before = latest?.period === period ? latest.amounts : {};
    periodic = { ...periodic, [kind]: { period, amounts: addAmounts(before, carried) } };
  }
  return periodic === undefined ? spending : { ...spending, periodic };
}
