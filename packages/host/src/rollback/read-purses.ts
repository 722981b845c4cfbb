/**
 * What the money of a rollback comes out of: what the run had left, and what those above it had,
 * of whose money the run's was a part. Each is less what rollbacks have taken of it before: nobody
 * gets the same remainder twice by asking twice.
 */
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
import { FAMILY_DEPTH_MAX } from "../projection/family-depth.ts";
import { readRun } from "../projection/read-run.ts";
import type { RunProjection } from "../projection/run-projection.ts";
import { listAncestors } from "./list-ancestors.ts";
import type { ReadDeeds } from "./read-deeds.ts";
import { listRollbacks } from "./rollback-chain.ts";

export interface Purse {
  readonly grant: Grant;
  /** Of the run itself, and of the rollbacks that came out of the same grant. */
  readonly spent: readonly Spending[];
}

export type Purses =
  /** That of the run first, then of those above it. */
  | { readonly kind: "read"; readonly purses: readonly Purse[] }
  /** How much a rollback takes is not known before it has begun. */
  | { readonly kind: "unbegun"; readonly rollback: string; readonly of: string };

type PurseStores = Pick<Stores, "log" | "runs" | "blobs" | "inbox">;

/** A run of the family, and those that it is below of. */
interface Member {
  readonly run: string;
  readonly above: readonly string[];
}

interface PurseSources {
  readonly stores: PurseStores;
  readonly read: ReadDeeds;
}

interface Reading {
  readonly nowMs: number;
  /** The rollback that looks at what others have taken by now: those that have not begun see it. */
  readonly looking?: string;
}

export async function readPurses(
  run: string,
  { stores, read }: PurseSources,
  { nowMs, looking }: Reading,
): Promise<Purses> {
  const line = [run, ...(await listAncestors(stores, run))];
  const members = await listFamily(line.at(-1) ?? run, read);
  const taken: (Member & { readonly spending: Spending })[] = [];
  for (const member of members)
    for (const { run: rollback, projection, head } of await listRollbacks(member.run, stores)) {
      const isAside = projection === undefined || rollback === looking || head?.granted === true;
      if (looking !== undefined && isAside) continue;
      // That of the run itself is told again, and is the one that is asked for.
      if (projection === undefined && member.run === run) continue;
      if (projection === undefined) return { kind: "unbegun", rollback, of: member.run };
      taken.push({ ...member, spending: spentBy(projection, nowMs) });
    }
  const purses: Purse[] = [];
  for (const [index, each] of line.entries()) {
    const projection = await readRun(stores, each);
    const { spec = null } = projection ?? {};
    if (projection === undefined || spec === null) continue;
    const related = new Set(line.slice(index));
    const own = taken.filter(
      (rollback) => related.has(rollback.run) || rollback.above.includes(each),
    );
    // Nor does a rollback get what a run above it may still spend itself.
    const spending = spentBy(projection, nowMs);
    purses.push({ grant: spec.grant, spent: [spending, ...own.map((of) => of.spending)] });
  }
  return { kind: "read", purses };
}

/** A run that has not ended may still spend all that it was given. */
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

/** Its caps for periods are what was left when it was asked for: it may spend all of that now. */
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
async function listFamily(root: string, read: ReadDeeds): Promise<readonly Member[]> {
  const members: Member[] = [{ run: root, above: [] }];
  for (const { run, above } of members) {
    if (above.length >= FAMILY_DEPTH_MAX) continue;
    for (const deed of await read(run))
      if (deed.kind === "handoff") members.push({ run: deed.child, above: [run, ...above] });
  }
  return members;
}
