/** The effect of a new project on the unfinished runs, before it goes live. */
import type { PendingMigration, ReleaseBook } from "@turnseal/adapters/postgres";
import { findReleaseLack, type Release } from "@turnseal/host";
import type { BlockCause } from "@turnseal/protocol";
import { listPreferred, toRelease } from "@turnseal/runtime/folder";
import { readUnfinished, type UnfinishedRun } from "./read-unfinished.ts";

export interface UpgradeCheck {
  readonly release: string;
  readonly tenants: readonly TenantUpgrade[];
  readonly migrations: readonly PendingMigration[];
  /**
   * Unfinished runs without a release that could go on with them: neither this one nor a present
   * one.
   */
  readonly blocked: number;
}

export interface TenantUpgrade {
  readonly tenant: string;
  readonly unfinished: number;
  /** Runs that the new release can execute. */
  readonly carried: number;
  /** Its lacks, by name. */
  readonly lacks: readonly UpgradeLack[];
}

export interface UpgradeLack {
  readonly cause: BlockCause;
  readonly what: string;
  /** The release that has it, and has to stay; null if none has: these runs would block. */
  readonly keptBy: string | null;
  readonly runs: number;
  /** The first of them. */
  readonly first: readonly string[];
}

/** How many runs are named for each thing that is missing. */
export const UPGRADE_RUNS_NAMED_MAX = 5;

export async function checkUpgrade(
  book: Pick<ReleaseBook, "list" | "listTenants" | "readerOf" | "pending">,
  release: Release,
): Promise<UpgradeCheck> {
  const registered = listPreferred(await book.list()).map(toRelease);
  const others = registered.filter(({ name }) => name !== release.name);
  const tenants = new Map<string, TenantUpgrade>();
  for await (const unfinished of readUnfinished(book)) {
    const { tenant } = unfinished;
    const before = tenants.get(tenant) ?? { tenant, unfinished: 0, carried: 0, lacks: [] };
    tenants.set(tenant, await addRun(before, unfinished, { release, others }));
  }
  const list = [...tenants.values()];
  const blocked = list
    .flatMap(({ lacks }) => lacks)
    .reduce((sum, { keptBy, runs }) => sum + (keptBy === null ? runs : 0), 0);
  return { release: release.name, tenants: list, migrations: book.pending, blocked };
}

async function addRun(
  before: TenantUpgrade,
  { run, stores }: UnfinishedRun,
  { release, others }: { readonly release: Release; readonly others: readonly Release[] },
): Promise<TenantUpgrade> {
  const { tenant, unfinished, carried, lacks } = before;
  const lack = await findReleaseLack(release, run, stores);
  if (lack === undefined)
    return { tenant, unfinished: unfinished + 1, carried: carried + 1, lacks };
  let keptBy: string | null = null;
  for (const other of others) {
    if ((await findReleaseLack(other, run, stores)) !== undefined) continue;
    keptBy = other.name;
    break;
  }
  const isSame = (other: UpgradeLack): boolean =>
    other.cause === lack.cause && other.what === lack.what && other.keptBy === keptBy;
  const known = lacks.find(isSame) ?? { ...lack, keptBy, runs: 0, first: [] };
  const named = known.first.length < UPGRADE_RUNS_NAMED_MAX ? [run.run] : [];
  const counted = { ...known, runs: known.runs + 1, first: [...known.first, ...named] };
  const rest = lacks.filter((other) => !isSame(other));
  const all = [...rest, counted].sort((a, b) => (a.what < b.what ? -1 : 1));
  return { tenant, unfinished: unfinished + 1, carried, lacks: all };
}
