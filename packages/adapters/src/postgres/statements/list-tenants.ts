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

/** Whoever may have runs now, in the order of their names, after one. */
export async function listTenants(db: Database, after: string): Promise<readonly string[]> {
  const rows = await db.query(listTenantsStatement, [after]);
  return rows.map((row) => readText(row, "name"));
}
