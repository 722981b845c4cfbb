import { readInteger } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";
import type { SpentToday } from "../tenant-spent.ts";

export const readSpentStatement: Statement = {
  name: "read-spent",
  reach: "tenant",
  text: `
    select least(${Number.MAX_SAFE_INTEGER}, coalesce(sum(tokens), 0)) as tokens,
           least(${Number.MAX_SAFE_INTEGER}, coalesce(sum(money_micros), 0)) as money_micros,
           (extract(epoch from (now() at time zone 'utc')::date + 1) * 1000)::bigint as ends_at
      from turnseal.tenant_spent
     where tenant = $1 and day >= (now() at time zone 'utc')::date`,
};

/** The tenant's spending since midnight, and the time of the next reset. */
export async function readSpent(db: Database): Promise<SpentToday> {
  const [row] = await db.query(readSpentStatement, [db.tenant]);
  return {
    tokens: readInteger(row, "tokens"),
    moneyMicros: readInteger(row, "money_micros"),
    endsAtMs: readInteger(row, "ends_at"),
  };
}
