/**
 * What is opened of each tenant, for whoever tells and reads runs and leaves it to workers to
 * execute them: those that were named, or whoever is in the database.
 *
 * 1. What was added, or deleted, is seen within seconds: it is asked when somebody comes, and kept
 *    as long as a worker keeps it.
 * 2. One that is suspended is served. What its runs are told is stored, and waits.
 */
import type { PostgresPool } from "@turnseal/adapters/postgres";
import { isTenant } from "@turnseal/protocol";
import { createRecent } from "./create-recent.ts";
import { recentTenants } from "./open-tenants.ts";

interface HostFinding<Host> {
  /** Who is served, whatever the database says. Without it, whoever it names. */
  readonly named: readonly string[] | undefined;
  readonly readTenant: PostgresPool["readTenant"];
  open(tenant: string): Host;
}

/** The host of a tenant; undefined for one that is not served here. */
type FindHost<Host> = (tenant: string) => Promise<Host | undefined>;

export function findHosts<Host>(
  { named, readTenant, open }: HostFinding<Host>,
  now?: () => number,
): FindHost<Host> {
  const opened = createRecent<{ readonly host: Host }>();
  const fixed = named === undefined ? undefined : new Set(named);
  const findState = recentTenants({ readTenant }, now);
  const isServed = async (tenant: string): Promise<boolean> => {
    if (fixed !== undefined) return fixed.has(tenant);
    return isTenant(tenant) && (await findState(tenant)) !== undefined;
  };
  return async (tenant) => {
    if (!(await isServed(tenant))) {
      opened.delete(tenant);
      return undefined;
    }
    const found = opened.get(tenant) ?? { host: open(tenant) };
    opened.set(tenant, found);
    return found.host;
  };
}
