import { readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

/** How many names one page has. */
const TENANTS_LIST_MAX = 1_000;

export const listTenantsStatement: Statement = {
  name: "list-tenants",
  reach: "tenant",
  text: `
    select name from turnseal.tenant
     where name > $1 and state = 'active' order by name limit ${TENANTS_LIST_MAX}`,
};

/** Active tenants in the order of their names, after one. */
export async function listTenants(db: Database, after: string): Promise<readonly string[]> {
  const rows = await db.query(listTenantsStatement, [after]);
  return rows.map((row) => readText(row, "name"));
}

export const tenantsWithRunsStatement: Statement = {
  name: "list-tenants",
  reach: "tenant",
  text: `
    with recursive tenants (tenant) as (
      (select least(
         (select min(tenant) from turnseal.run),
         (select min(tenant) from turnseal.inbox where body is not null)))
      union all
      select least(
         (select min(tenant) from turnseal.run where tenant > tenants.tenant),
         (select min(tenant) from turnseal.inbox
           where body is not null and tenant > tenants.tenant))
        from tenants where tenants.tenant is not null)
    select tenant from tenants where tenant is not null`,
};

/** Every tenant that has a run, or the start of one: only the owner's role sees them all. */
export async function listTenantsWithRuns(db: Database): Promise<readonly string[]> {
  const rows = await db.query(tenantsWithRunsStatement, []);
  return rows.map((row) => readText(row, "tenant"));
}
