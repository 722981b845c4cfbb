/**
 * What a rollback may do without a grant of its own: its compensations, each once, within what the
 * run could still do itself. Nobody gets new money by taking back what the old was spent on, and
 * nobody becomes a grantor by asking.
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
import type { Purse } from "./read-purses.ts";

interface Wanted {
  /** The compensations, one for each action. */
  readonly undos: readonly string[];
  readonly nowMs: number;
}

/** True where the grant of the run is over: the run may do nothing any more. */
export function isExpired({ expiresAt }: Pick<Grant, "expiresAt">, nowMs: number): boolean {
  return expiresAt !== undefined && nowMs >= Date.parse(expiresAt);
}

/** From the purse of the run, and from those of the runs above it. */
export function grantRollback(
  own: Purse,
  above: readonly Purse[],
  { undos, nowMs }: Wanted,
): Grant {
  const { grantor, scopes, terms, perCall, expiresAt } = own.grant;
  const needed: Amounts = { turns: 1, toolCalls: undos.length, effects: undos.length };
  const purses = [own, ...above];
  const budget = purses.map((purse) => unspent(purse.grant.budget, spentOf(purse)));
  const perPeriod = unspentOf(purses, { needed, nowMs });
  return {
    ...{ grantor, tools: [...new Set(undos)] },
    ...(scopes === undefined ? {} : { scopes }),
    ...(terms === undefined ? {} : { terms }),
    // People who approve the list approve that many: neither fewer, nor one more.
    budget: { ...leastOf(budget), ...needed },
    ...(perCall === undefined ? {} : { perCall }),
    ...(perPeriod === undefined ? {} : { perPeriod }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

function spentOf({ spent }: Purse): Amounts {
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

/** What is left of caps. A unit without one has none here. */
function unspent(caps: Amounts, spent: Amounts, atLeast: Amounts = {}): Amounts {
  const left: Partial<Record<Unit, number>> = {};
  for (const unit of listUnits(caps))
    left[unit] = Math.max((caps[unit] ?? 0) - (spent[unit] ?? 0), atLeast[unit] ?? 0);
  return left as Amounts;
}

/** The same for the periods of now. In a later one it may do no more than that, either. */
function unspentOf(
  purses: readonly Purse[],
  { needed, nowMs }: Pick<Wanted, "nowMs"> & { readonly needed: Amounts },
): ByPeriod<Amounts> | undefined {
  const left: Partial<Record<PeriodKind, Amounts>> = {};
  for (const { grant, spent } of purses) {
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
