import type { Statement } from "../open-database.ts";
import type { Spent } from "../tenant-spent.ts";
import { APPENDED_MORE, MORE_ANSWERED } from "./append-turn.ts";

/** The spending of an append, if any; counted for the row of the head. */
export const SPENT_ROWS = `
    spent as (
      insert into turnseal.tenant_spent as spent
        (tenant, stripe, day, tokens, money_micros)
      select $1, $28::smallint, (now() at time zone 'utc')::date, $29::bigint, $30::bigint
        from head where $28::smallint is not null
      on conflict (tenant, stripe) do update
        set day = greatest(spent.day, excluded.day),
            tokens = least(${Number.MAX_SAFE_INTEGER}, excluded.tokens
              + case when spent.day >= excluded.day then spent.tokens else 0 end),
            money_micros = least(${Number.MAX_SAFE_INTEGER}, excluded.money_micros
              + case when spent.day >= excluded.day then spent.money_micros else 0 end))`;

/**
 * The same for a tenant with limits, if it spent something: the spending is counted once, in the
 * same transaction. The day is the server's, in UTC; counts of another day are over.
 */
export const appendSpentStatement: Statement = {
  name: "append-spent",
  reach: "run",
  text: `
    with ${APPENDED_MORE},${SPENT_ROWS}
    ${MORE_ANSWERED}`,
};

/** The rows of a tenant's spending: so many of its runs are counted at once. */
export const STRIPES = 16;

/** The values of what is counted, after those of every append. */
export function renderSpent(run: string, spent: Spent | undefined): unknown[] {
  if (spent === undefined) return [null, null, null];
  const { tokens, moneyMicros } = spent;
  // Ids of runs are random at their end.
  return [Number.parseInt(run.slice(-1), 16) % STRIPES, tokens, moneyMicros];
}
