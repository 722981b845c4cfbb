/**
 * What a rollback may do without a grant of its own: its compensations, each once, within what the
 * run could still do itself. Nobody gets new money by taking back what the old was spent on.
 */
import {
  type Amounts,
  type ByPeriod,
  committed,
  type Grant,
  listUnits,
  NO_SPENDING,
  PERIOD_KINDS,
  type PeriodKind,
  periodFacts,
  type Spending,
  type Unit,
} from "@turnseal/protocol";
import type { RunProjection } from "../projection/run-projection.ts";

export type RollbackGrant =
  | { readonly kind: "granted"; readonly grant: Grant }
  /** The run may do nothing any more. */
  | { readonly kind: "expired"; readonly at: string };

interface Wanted {
  readonly grantor: string;
  /** The compensations, one for each action. */
  readonly undos: readonly string[];
  readonly nowMs: number;
}

export function grantRollback(
  run: Pick<RunProjection, "spec" | "spending"> | undefined,
  { grantor, undos, nowMs }: Wanted,
): RollbackGrant {
  const { spec = null, spending = NO_SPENDING } = run ?? {};
  const { scopes, terms, perCall, perPeriod, expiresAt, budget = {} } = spec?.grant ?? {};
  if (expiresAt !== undefined && nowMs >= Date.parse(expiresAt))
    return { kind: "expired", at: expiresAt };
  const needed: Amounts = { turns: 1, toolCalls: undos.length, effects: undos.length };
  const grant: Grant = {
    ...{ grantor, tools: [...new Set(undos)] },
    ...(scopes === undefined ? {} : { scopes }),
    ...(terms === undefined ? {} : { terms }),
    // People who approve the list approve that many: neither fewer, nor one more.
    budget: { ...unspent(budget, committed(spending)), ...needed },
    ...(perCall === undefined ? {} : { perCall }),
    ...(perPeriod === undefined
      ? {}
      : { perPeriod: unspentOf(perPeriod, { spending, needed, nowMs }) }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
  return { kind: "granted", grant };
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
  caps: ByPeriod<Amounts>,
  {
    spending: { periodic },
    needed,
    nowMs,
  }: Pick<Wanted, "nowMs"> & { readonly spending: Spending; readonly needed: Amounts },
): ByPeriod<Amounts> {
  const left: Partial<Record<PeriodKind, Amounts>> = {};
  const { periods } = periodFacts(caps, new Date(nowMs).toISOString());
  for (const kind of PERIOD_KINDS) {
    const [known, cap] = [periodic?.[kind], caps[kind]];
    const spent = known?.period === periods?.[kind] ? known?.amounts : undefined;
    if (cap !== undefined) left[kind] = unspent(cap, spent ?? {}, needed);
  }
  return left;
}
