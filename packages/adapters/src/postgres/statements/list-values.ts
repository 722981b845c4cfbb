import { readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const listValuesStatement: Statement = {
  name: "list-values",
  reach: "tenant",
  text: `
    select key from turnseal.value
     where tenant = $1 and key >= $2 and key < $2 || chr(127) and key > $3
     order by key limit $4`,
};

/** Keys that begin with a text, in order, after one. */
export async function listValues(
  db: Database,
  prefix: string,
  after: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.query(listValuesStatement, [db.tenant, prefix, after, limit]);
  return rows.map((row) => readText(row, "key"));
}
