import { readInteger } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

/**
 * Takes the next places of a tenant's runs that start, one behind the other at its pace. A second
 * in which none started has left room for as many at once as the pace has in a second.
 */
export const takeStartsStatement: Statement = {
  name: "take-starts",
  reach: "tenant",
  text: `
    insert into turnseal.tenant_pace as pace (tenant, next_at)
    values ($1, clock_timestamp() + make_interval(secs => ($2::float8 - $3::float8 + 1) / $3))
    on conflict (tenant) do update
      set next_at = make_interval(secs => $2::float8 / $3::float8)
        + greatest(pace.next_at,
            clock_timestamp() - make_interval(secs => ($3::float8 - 1) / $3))
    returning (extract(epoch from next_at) * 1000)::bigint as next_at,
              (extract(epoch from clock_timestamp()) * 1000)::bigint as now`,
};

export interface TakenStarts {
  /** The place of the first; each further one is behind it by the pace. */
  readonly firstAtMs: number;
  /** The time of the server. */
  readonly nowMs: number;
}

export async function takeStarts(
  db: Database,
  count: number,
  perSecond: number,
): Promise<TakenStarts> {
  const [row] = await db.query(takeStartsStatement, [db.tenant, count, perSecond]);
  const firstAtMs = readInteger(row, "next_at") - (count * 1_000) / perSecond;
  return { firstAtMs, nowMs: readInteger(row, "now") };
}
