/**
 * The grant of a rollback without a grant of its own: its compensations, each once, within what the
 * run could still do itself. Undoing a payment frees no new money, and asking for a rollback makes
 * no grantor.
 */
import {
  type Amounts,
  addAmounts,
  type ByPeriod,
  committed,
  type Grant,
  listUnits,
  PERIOD_KINDS,
  type PeriodKind,
  periodFacts,
  type Unit,
} from "@turnseal/protocol";
import type { RemainingBudget } from "./read-remaining-budgets.ts";

interface Wanted {
  /** The compensations, one for each action. */
  readonly undos: readonly string[];
  readonly nowMs: number;
}

/** True if the grant of the run is over: the run may do nothing any more. */
export function isExpired({ expiresAt }: Pick<Grant, "expiresAt">, nowMs: number): boolean {
  return expiresAt !== undefined && nowMs >= Date.parse(expiresAt);
}

/** The grant from the remaining budgets of the run and of the runs above it. */
export function grantRollback(
  own: RemainingBudget,
  above: readonly RemainingBudget[],
  { undos, nowMs }: Wanted,
): Grant {
  const { grantor, scopes, terms, perCall, expiresAt } = own.grant;
  const needed: Amounts = { turns: 1, toolCalls: undos.length, effects: undos.length };
  const all = [own, ...above];
  const left = all.map((each) => unspent(each.grant.budget, spentOf(each)));
  const perPeriod = unspentOf(all, { needed, nowMs });
  return {
    ...{ grantor, tools: [...new Set(undos)] },
    ...(scopes === undefined ? {} : { scopes }),
    ...(terms === undefined ? {} : { terms }),
    // People who approve the list approve that many: neither fewer, nor one more.
    budget: { ...leastOf(left), ...needed },
    ...(perCall === undefined ? {} : { perCall }),
    ...(perPeriod === undefined ? {} : { perPeriod }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

function spentOf({ spent }: RemainingBudget): Amounts {
  return spent.reduce<Amounts>((sum, spending) => addAmounts(sum, committed(spending)), {});
}

/** Of each unit the least: one without a cap has none here. */
function leastOf(all: readonly Amounts[]): Amounts {
  const least: Partial<Record<Unit, number>> = {};
  for (const amounts of all)
    for (const unit of listUnits(amounts))
      least[unit] = Math.min(least[unit] ?? Number.POSITIVE_INFINITY, amounts[unit] ?? 0);
  return least as Amounts;
}

/** The rest of caps. A unit without one has none here. */
function unspent(caps: Amounts, spent: Amounts, atLeast: Amounts = {}): Amounts {
  const left: Partial<Record<Unit, number>> = {};
  for (const unit of listUnits(caps))
    left[unit] = Math.max((caps[unit] ?? 0) - (spent[unit] ?? 0), atLeast[unit] ?? 0);
  return left as Amounts;
}

/** The same for the periods of now. In a later one it may do no more than that, either. */
function unspentOf(
  budgets: readonly RemainingBudget[],
  { needed, nowMs }: Pick<Wanted, "nowMs"> & { readonly needed: Amounts },
): ByPeriod<Amounts> | undefined {
  const left: Partial<Record<PeriodKind, Amounts>> = {};
  for (const { grant, spent } of budgets) {
    const { perPeriod: caps = {} } = grant;
    const { periods } = periodFacts(caps, new Date(nowMs).toISOString());
    for (const kind of PERIOD_KINDS) {
      const cap = caps[kind];
      if (cap === undefined) continue;
      const sum = spent.reduce<Amounts>((before, { periodic }) => {
        const known = periodic?.[kind];
        return known?.period === periods?.[kind]
          ? addAmounts(before, known?.amounts ?? {})
          : before;
      }, {});
      const own = unspent(cap, sum, needed);
      left[kind] = leastOf([...(left[kind] === undefined ? [] : [left[kind]]), own]);
    }
  }
  return Object.keys(left).length === 0 ? undefined : left;
}
