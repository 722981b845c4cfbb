/**
 * Finds the host of a tenant, for code that messages and reads runs and leaves their execution to
 * workers. The tenants are a given list, or all in the database.
 *
 * 1. A new or deleted tenant is noticed within seconds: each request checks, and an answer is kept
 *    as long as a worker keeps it.
 * 2. A suspended tenant is served. Messages to its runs are stored, and wait.
 */
import type { PostgresPool } from "@turnseal/adapters/postgres";
import { isTenant } from "@turnseal/protocol";
import { createRecent } from "./create-recent.ts";
import { recentTenants } from "./open-tenants.ts";

interface HostFinding<Host> {
  /** The served tenants, without asking the database. Without it, the database decides. */
  readonly named: readonly string[] | undefined;
  readonly readTenant: PostgresPool["readTenant"];
  open(tenant: string): Host;
}

/** The host of a tenant; undefined if it is not served here. */
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
