/**
 * Counts overdue runs, some tenants at a time: one statement a tenant, which reads no more than a
 * page. These are the runs that `turnseal repair` would look at.
 */
import { LABEL_VALUES_MAX, OTHER } from "../../metrics/metric-set.ts";
import { repeat } from "../../metrics/watch-health.ts";
import { REPAIR_GRACE_MS } from "../repair-runs.ts";

export interface Overdue {
  /** Tenants with their numbers; tenants without overdue runs are left out. */
  list(): readonly (readonly [tenant: string, count: number])[];
}

export interface OverdueParts {
  /** Tenants in the order of their names: a page after one. */
  listServed(after: string): Promise<readonly string[]>;
  /** Overdue runs of a tenant at that time: one page. */
  listDue(tenant: string, until: string): Promise<readonly unknown[]>;
}

export interface OverdueWatch extends Overdue {
  look(): Promise<void>;
  close(): void;
}

/** How often, and how many tenants each time. */
export const OVERDUE_EVERY_MS = 30_000;
export const OVERDUE_TENANTS_MAX = 50;

export function watchOverdue(
  { listServed, listDue }: OverdueParts,
  now: () => number = Date.now,
): OverdueWatch {
  const counts = new Map<string, number>();
  let after = "";
  const look = async (): Promise<void> => {
    const page = (await listServed(after)).slice(0, OVERDUE_TENANTS_MAX);
    // After the last one it begins again; tenants that are gone are dropped on the way.
    const upTo = page.length < OVERDUE_TENANTS_MAX ? undefined : page.at(-1);
    for (const known of counts.keys())
      if (known > after && (upTo === undefined || known <= upTo) && !page.includes(known))
        counts.delete(known);
    const until = new Date(now() - REPAIR_GRACE_MS).toISOString();
    for (const tenant of page) {
      const { length } = await listDue(tenant, until);
      if (length === 0) counts.delete(tenant);
      else counts.set(tenant, length);
    }
    after = upTo ?? "";
  };
  const again = repeat(look, OVERDUE_EVERY_MS);
  return { list: () => boundTenants(counts), look, close: again.close };
}

function boundTenants(counts: ReadonlyMap<string, number>): (readonly [string, number])[] {
  const named = [...counts].slice(0, LABEL_VALUES_MAX);
  const rest = [...counts.values()].slice(LABEL_VALUES_MAX);
  const others = rest.reduce((sum, count) => sum + count, 0);
  return others === 0 ? named : [...named, [OTHER, others]];
}
