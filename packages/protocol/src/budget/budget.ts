/**
 * Budgets: reserve before, settle after, all in the log.
 *
 * 1. A cap that is absent is no cap; a price that is unknown is never zero.
 * 2. What is committed is settled + assumed + open. Nothing is claimed that would lift it over the
 *    cap.
 * 3. A claim that was orphaned is assumed to have cost its whole reservation.
 * 4. Amounts are safe integers. A sum that would pass the largest one stays at it: over any cap,
 *    and still exact in every language.
 */
import { isPlainObject } from "../canonical-json.ts";

export const BUDGET_UNITS = [
  "turns",
  "rounds",
  "modelCalls",
  "toolCalls",
  "inputTokens",
  "outputTokens",
  "moneyMicros",
  "effects",
  "activeMs",
] as const;
export type BudgetUnit = (typeof BUDGET_UNITS)[number];

/** Amounts by unit. An absent unit is zero in a spend, and unbounded in a cap. */
export type Amounts = Readonly<Partial<Record<BudgetUnit, number>>>;

/** What a run has committed so far. */
export interface Spending {
  readonly settled: Amounts;
  /** The reservations of orphaned claims, counted in full. */
  readonly assumed: Amounts;
  /** The reservations of claims that are not settled. */
  readonly open: Amounts;
}

export const NO_SPENDING: Spending = { settled: {}, assumed: {}, open: {} };

/** The largest amount of any unit. */
export const AMOUNT_MAX = Number.MAX_SAFE_INTEGER;

/** Adds amounts, unit by unit. */
export function addAmounts(a: Amounts, b: Amounts): Amounts {
  return combine(a, b, (left, right) => Math.min(left + right, AMOUNT_MAX));
}

/** Subtracts amounts, unit by unit. */
export function subtractAmounts(a: Amounts, b: Amounts): Amounts {
  return combine(a, b, (left, right) => left - right);
}

function combine(
  first: Amounts,
  second: Amounts,
  join: (left: number, right: number) => number,
): Amounts {
  const joined: Partial<Record<BudgetUnit, number>> = {};
  for (const unit of BUDGET_UNITS) {
    const amount = join(first[unit] ?? 0, second[unit] ?? 0);
    // Zero is written as absence, so that equal amounts have equal canonical forms.
    if (amount !== 0) joined[unit] = amount;
  }
  return joined;
}

/** Everything that counts against the cap. */
export function committed({ settled, assumed, open }: Spending): Amounts {
  return addAmounts(addAmounts(settled, assumed), open);
}

/** The first unit whose cap `wanted` would pass, or undefined when all of it fits. */
export function findOverrun(
  cap: Amounts,
  spending: Spending,
  wanted: Amounts,
): BudgetUnit | undefined {
  const total = addAmounts(committed(spending), wanted);
  return BUDGET_UNITS.find((unit) => (total[unit] ?? 0) > (cap[unit] ?? Number.POSITIVE_INFINITY));
}

/** True for amounts that a document may carry: whole numbers of at least zero, in known units. */
export function areAmounts(value: unknown): value is Amounts {
  if (!isPlainObject(value)) return false;
  return Object.entries(value).every(
    ([unit, amount]) =>
      (BUDGET_UNITS as readonly string[]).includes(unit) &&
      Number.isSafeInteger(amount) &&
      Number(amount) >= 0,
  );
}
