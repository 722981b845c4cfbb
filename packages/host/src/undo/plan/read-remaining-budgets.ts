/**
 * Reads the budget of a rollback: what remains of the run's grant and of its ancestors', which
 * include it. Earlier rollbacks are subtracted: asking twice never gives the same remainder twice.
 */

import { FAMILY_DEPTH_MAX, type RunProjection } from "@turnseal/folds";
import type { Stores } from "@turnseal/ports";
import {
  type Amounts,
  type ByPeriod,
  type Grant,
  listUnits,
  PERIOD_KINDS,
  type PeriodKind,
  periodFacts,
  type Spending,
} from "@turnseal/protocol";
import { readRun } from "../../state/read-run.ts";
import { listAncestors } from "../find/list-ancestors.ts";
import type { ReadEffects } from "../find/read-effects.ts";
import { listRollbacks } from "../find/rollback-chain.ts";

export interface RemainingBudget {
  readonly grant: Grant;
  /** Of the run itself, and of the rollbacks that came out of the same grant. */
  readonly spent: readonly Spending[];
}

export type RemainingBudgets =
  /** That of the run first, then of those above it. */
  | { readonly kind: "read"; readonly budgets: readonly RemainingBudget[] }
  /** How much a rollback takes is not known before it has begun. */
  | { readonly kind: "unbegun"; readonly rollback: string; readonly of: string };

type BudgetStores = Pick<Stores, "log" | "runs" | "blobs" | "inbox">;

/** A run of the family, and the runs above it. */
interface Member {
  readonly run: string;
  readonly above: readonly string[];
}

interface BudgetSources {
  readonly stores: BudgetStores;
  readonly read: ReadEffects;
}

interface Reading {
  readonly nowMs: number;
  /**
   * The rollback that checks what others have got by now: unbegun rollbacks see it themselves.
   */
  readonly checking?: string;
}

export async function readRemainingBudgets(
  run: string,
  { stores, read }: BudgetSources,
  { nowMs, checking }: Reading,
): Promise<RemainingBudgets> {
  const line = [run, ...(await listAncestors(stores, run))];
  const members = await listFamily(line.at(-1) ?? run, read);
  const taken: (Member & { readonly spending: Spending })[] = [];
  for (const member of members)
    for (const { run: rollback, projection, head } of await listRollbacks(member.run, stores)) {
      const isAside = projection === undefined || rollback === checking || head?.granted === true;
      if (checking !== undefined && isAside) continue;
      // An unbegun rollback of the run itself is the very one under preparation.
      if (projection === undefined && member.run === run) continue;
      if (projection === undefined) return { kind: "unbegun", rollback, of: member.run };
      taken.push({ ...member, spending: spentBy(projection, nowMs) });
    }
  const budgets: RemainingBudget[] = [];
  for (const [index, each] of line.entries()) {
    const projection = await readRun(stores, each);
    const { spec = null } = projection ?? {};
    if (projection === undefined || spec === null) continue;
    const related = new Set(line.slice(index));
    const own = taken.filter(
      (rollback) => related.has(rollback.run) || rollback.above.includes(each),
    );
    // A rollback does not get what a run above it may still spend itself.
    const spending = spentBy(projection, nowMs);
    budgets.push({ grant: spec.grant, spent: [spending, ...own.map((of) => of.spending)] });
  }
  return { kind: "read", budgets };
}

/** An unfinished run may still spend its whole grant. */
function spentBy({ stopped, spending, spec }: RunProjection, nowMs: number): Spending {
  if (stopped !== null) return spending;
  const budget = spec?.grant.budget ?? {};
  const open: Record<string, number> = {};
  for (const unit of listUnits(budget, spending.open)) {
    const spent = (spending.settled[unit] ?? 0) + (spending.assumed[unit] ?? 0);
    open[unit] = Math.max((budget[unit] ?? 0) - spent, spending.open[unit] ?? 0);
  }
  const periodic = { ...spending.periodic, ...spentInPeriods(spec?.grant.perPeriod ?? {}, nowMs) };
  return { ...spending, open: open as Amounts, periodic };
}

type Spent = NonNullable<Spending["periodic"]>;

/** Its caps for periods are the remainder at its start: it may spend all of that now. */
function spentInPeriods(caps: ByPeriod<Amounts>, nowMs: number): Spent {
  const { periods = {} } = periodFacts(caps, new Date(nowMs).toISOString());
  const spent: { -readonly [Kind in PeriodKind]?: Spent[Kind] } = {};
  for (const kind of PERIOD_KINDS) {
    const [amounts, period] = [caps[kind], periods[kind]];
    if (amounts !== undefined && period !== undefined) spent[kind] = { period, amounts };
  }
  return spent;
}

/** A run and all below it: by the claims in their logs, also those whose turns stay. */
async function listFamily(root: string, read: ReadEffects): Promise<readonly Member[]> {
  const members: Member[] = [{ run: root, above: [] }];
  for (const { run, above } of members) {
    if (above.length >= FAMILY_DEPTH_MAX) continue;
    for (const effect of await read(run))
      if (effect.kind === "handoff") members.push({ run: effect.child, above: [run, ...above] });
  }
  return members;
}
