/**
 * Budgets: reserve before, settle after, all in the log.
 *
 * 1. A cap that is absent is no cap; a price that is unknown is never zero.
 * 2. What is committed is settled + assumed + open. Nothing is claimed that would lift it over the
 *    cap.
 * 3. A claim that was orphaned is assumed to have cost its whole reservation.
 * 4. Amounts are safe integers. Nothing is claimed that would lift a sum over the largest one, with
 *    a cap or without. What was spent all the same stays at it: exact in every language.
 */
import { isPlainObject } from "../canonical-json.ts";
import { isNamespaced } from "../namespaced.ts";
import { isCount } from "../shape.ts";
import { type ByPeriod, kindsOf, type PeriodKind, periodOf } from "./period.ts";

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
  "handoffs",
] as const;
export type BudgetUnit = (typeof BUDGET_UNITS)[number];

/** A unit of the operator's own, such as `payments.cents`. */
export type NamedUnit = `${string}.${string}`;
export type Unit = BudgetUnit | NamedUnit;

/** Amounts by unit. An absent unit is zero in a spend, and unbounded in a cap. */
export type Amounts = Readonly<Partial<Record<BudgetUnit, number>>> & {
  readonly [unit: NamedUnit]: number;
};

/** Units of the operator's own in one list of amounts. */
export const NAMED_UNITS_MAX = 32;

/** What a run has committed so far. */
export interface Spending {
  readonly settled: Amounts;
  /** The reservations of orphaned claims, counted in full. */
  readonly assumed: Amounts;
  /** The reservations of claims that are not settled. */
  readonly open: Amounts;
  /** What was committed in the latest period of each kind for which there was a cap. */
  readonly periodic?: ByPeriod<PeriodSpending>;
}

/** What was committed in one period. */
export interface PeriodSpending {
  /** Its name, such as `2026-W46`. */
  readonly period: string;
  readonly amounts: Amounts;
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
  const joined: Partial<Record<Unit, number>> = {};
  for (const unit of listUnits(first, second)) {
    const amount = join(first[unit] ?? 0, second[unit] ?? 0);
    // Zero is written as absence, so that equal amounts have equal canonical forms.
    if (amount !== 0) joined[unit] = amount;
  }
  return joined as Amounts;
}

/** The units of all these amounts, each once: ours in the order of their list, then the others. */
export function listUnits(...amounts: readonly Amounts[]): Unit[] {
  const present = new Set<string>(amounts.flatMap((some) => Object.keys(some)));
  const named = [...present].filter(isNamespaced).sort();
  return [...BUDGET_UNITS.filter((unit) => present.has(unit)), ...named];
}

/** Everything that counts against the cap; to an action that reserved before, all but its own. */
export function committed({ settled, assumed, open }: Spending, own?: Amounts): Amounts {
  const others = own === undefined ? open : subtractAmounts(open, own);
  return addAmounts(addAmounts(settled, assumed), others);
}

/** The first unit whose cap `wanted` would pass, or undefined when all of it fits. */
export function findOverrun(cap: Amounts, spending: Spending, wanted: Amounts): Unit | undefined {
  const total = addAmounts(committed(spending), wanted);
  return findAbove(total, cap) ?? findUncounted(committed(spending), wanted);
}

/** The first unit of which there is more than the cap allows. */
function findAbove(total: Amounts, cap: Amounts): Unit | undefined {
  return listUnits(cap).find((unit) => (total[unit] ?? 0) > (cap[unit] ?? AMOUNT_MAX));
}

/**
 * The first unit whose sum would pass the largest amount, or that is past those that amounts may
 * have: without any cap, too, since a sum has to stay exact and readable.
 */
function findUncounted(before: Amounts, wanted: Amounts): Unit | undefined {
  const isOver = (unit: Unit): boolean => (before[unit] ?? 0) > AMOUNT_MAX - (wanted[unit] ?? 0);
  const surplus = listUnits(before, wanted).filter(isNamespaced)[NAMED_UNITS_MAX];
  return listUnits(wanted).find(isOver) ?? surplus;
}

/** The caps of a grant. */
export interface Caps {
  readonly budget: Amounts;
  readonly perCall?: Amounts;
  readonly perPeriod?: ByPeriod<Amounts>;
}

/** Which cap would be passed, and in which unit. */
export interface Excess {
  readonly cap: keyof Caps;
  readonly unit: Unit;
  /** Of a cap for periods, which kind. */
  readonly period?: PeriodKind;
}

/** What is to be claimed, and when. */
interface Wanted {
  readonly wanted: Amounts;
  readonly at: string;
}

/** The first cap that one more reservation would pass. */
export function findExcess(
  { budget, perCall = {}, perPeriod = {} }: Caps,
  spending: Spending,
  { wanted, at }: Wanted,
): Excess | undefined {
  const ofCall = findAbove(wanted, perCall);
  if (ofCall !== undefined) return { cap: "perCall", unit: ofCall };
  const ofRun = findOverrun(budget, spending, wanted);
  if (ofRun !== undefined) return { cap: "budget", unit: ofRun };
  for (const period of kindsOf(perPeriod)) {
    const latest = spending.periodic?.[period];
    const before = latest?.period === periodOf(period, at) ? latest.amounts : {};
    const total = addAmounts(before, wanted);
    const unit = findAbove(total, perPeriod[period] ?? {}) ?? findUncounted(before, wanted);
    if (unit !== undefined) return { cap: "perPeriod", period, unit };
  }
  return undefined;
}

/**
 * True for amounts that a document may carry: whole numbers of at least zero, in known units or in
 * ones with a namespace.
 */
export function areAmounts(value: unknown): value is Amounts {
  if (!isPlainObject(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= BUDGET_UNITS.length + NAMED_UNITS_MAX &&
    entries.filter(([unit]) => isNamespaced(unit)).length <= NAMED_UNITS_MAX &&
    entries.every(([unit, amount]) => isUnit(unit) && isCount(amount))
  );
}

/** True for one of our units, or for one with a namespace. */
export function isUnit(value: string): value is Unit {
  return (BUDGET_UNITS as readonly string[]).includes(value) || isNamespaced(value);
}
