/**
 * Budgets: reserve before, settle after, all in the log.
 *
 * 1. A cap that is absent is no cap; a price that is unknown is never zero.
 * 2. Committed is settled + assumed + open. No claim may lift it over the cap.
 * 3. A claim that was orphaned is assumed to have cost its whole reservation.
 * 4. Amounts are safe integers. No claim may lift a sum over the largest one, with a cap or
 *    without. If the real spending passes it, the sum stays at the largest: exact in every
 *    language.
 * 5. A model request that the provider did not process costs nothing.
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

/**
 * The classes of failure which prove that the provider processed nothing of a request, so nothing
 * is paid for (spec/run.md §5.4).
 */
const unprocessed: ReadonlySet<unknown> = new Set([
  "MODEL_NOT_FOUND",
  "MODEL_NOT_INSTALLED",
  "MODEL_RATE_LIMITED",
  "MODEL_REFUSED",
  "MODEL_UNAUTHORIZED",
  "MODEL_UNAVAILABLE",
  "MODEL_UNREACHABLE",
]);

/** True for a class of failure after which a model request costs nothing. */
export function isUnprocessedFailure(failure: unknown): boolean {
  return unprocessed.has(failure);
}

const ours: ReadonlySet<string> = new Set(BUDGET_UNITS);

/** A unit of the operator's own, such as `payments.cents`. */
export type NamedUnit = `${string}.${string}`;
export type Unit = BudgetUnit | NamedUnit;

/** Amounts by unit. An absent unit is zero in a spend, and unbounded in a cap. */
export type Amounts = Readonly<Partial<Record<BudgetUnit, number>>> & {
  readonly [unit: NamedUnit]: number;
};

/** Units of the operator's own in one list of amounts. */
export const NAMED_UNITS_MAX = 32;

/** The amounts that a run has committed so far. */
export interface Spending {
  readonly settled: Amounts;
  /** The reservations of orphaned claims, counted in full. */
  readonly assumed: Amounts;
  /** The reservations of claims that are not settled. */
  readonly open: Amounts;
  /** The amounts committed in the latest period of each kind with a cap. */
  readonly periodic?: ByPeriod<PeriodSpending>;
}

/** The amounts committed in one period. */
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
  const add = (unit: string): void => {
    if (!isUnit(unit)) return;
    const amount = join(first[unit] ?? 0, second[unit] ?? 0);
    // Zero is written as absence, so that equal amounts have equal canonical forms.
    if (amount !== 0) joined[unit] = amount;
  };
  for (const unit of Object.keys(first)) add(unit);
  for (const unit of Object.keys(second)) if (!Object.hasOwn(first, unit)) add(unit);
  return joined as Amounts;
}

/** The units of all these amounts, each once: ours in the order of their list, then the others. */
export function listUnits(...amounts: readonly Amounts[]): Unit[] {
  const present = new Set<string>();
  for (const some of amounts) for (const unit of Object.keys(some)) present.add(unit);
  if (present.size === 0) return [];
  const named = [...present].filter((unit) => !ours.has(unit)).filter(isNamespaced);
  return [...BUDGET_UNITS.filter((unit) => present.has(unit)), ...named.sort()];
}

/** Everything that counts against the cap; to an action that reserved before, all but its own. */
export function committed({ settled, assumed, open }: Spending, own?: Amounts): Amounts {
  const others = own === undefined ? open : subtractAmounts(open, own);
  return addAmounts(addAmounts(settled, assumed), others);
}

/** The first unit whose cap `wanted` would pass, or undefined when all of it fits. */
export function findOverrun(cap: Amounts, spending: Spending, wanted: Amounts): Unit | undefined {
  const before = committed(spending);
  return findAbove(addAmounts(before, wanted), cap) ?? findUncounted(before, wanted);
}

/** The first unit above its cap. */
function findAbove(total: Amounts, cap: Amounts): Unit | undefined {
  return listUnits(cap).find((unit) => (total[unit] ?? 0) > (cap[unit] ?? AMOUNT_MAX));
}

/**
 * The first unit whose sum would pass the largest amount, or that is one unit too many. This holds
 * without a cap, too, since a sum must stay exact and readable.
 */
function findUncounted(before: Amounts, wanted: Amounts): Unit | undefined {
  const isOver = (unit: Unit): boolean => (before[unit] ?? 0) > AMOUNT_MAX - (wanted[unit] ?? 0);
  return listUnits(wanted).find(isOver) ?? findSurplus(listUnits(before, wanted));
}

function findSurplus(units: readonly Unit[]): Unit | undefined {
  // Most amounts have no unit of the operator's own.
  if (units.length <= NAMED_UNITS_MAX) return undefined;
  return units.filter((unit) => !ours.has(unit))[NAMED_UNITS_MAX];
}

/** The caps of a grant. */
export interface Caps {
  readonly budget: Amounts;
  readonly perCall?: Amounts;
  readonly perPeriod?: ByPeriod<Amounts>;
}

/** The cap that would be passed, and its unit. */
export interface Excess {
  readonly cap: keyof Caps;
  readonly unit: Unit;
  /** Of a cap for periods, which kind. */
  readonly period?: PeriodKind;
}

/** The amounts of a claim, and its time. */
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
 * True for amounts in a document: whole numbers of at least zero, in known units or in ones with a
 * namespace.
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
  return ours.has(value) || isNamespaced(value);
}
