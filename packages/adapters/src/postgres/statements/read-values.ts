import { SNAPSHOT_BYTES_MAX, SNAPSHOT_KEYS_MAX, type ValueRow } from "@turnseal/ports";
import { readFlag, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const readValuesStatement: Statement = {
  name: "read-values",
  reach: "tenant",
  // One statement, so that the size and the values are of one moment.
  text: `
    with size as (
      select count(*) <= ${SNAPSHOT_KEYS_MAX}
             and coalesce(sum(octet_length(body)), 0) <= ${SNAPSHOT_BYTES_MAX} as fits
        from turnseal.value where tenant = $1 and key >= $2 and key < $2 || chr(127))
    select fits, key, body
      from size left join turnseal.value
        on fits and tenant = $1 and key >= $2 and key < $2 || chr(127)`,
};

/** Everything that begins with a text; undefined where it is more than a snapshot may have. */
export async function readValues(
  db: Database,
  prefix: string,
): Promise<readonly Pick<ValueRow, "key" | "body">[] | undefined> {
  const rows = await db.query(readValuesStatement, [db.tenant, prefix]);
  if (!readFlag(rows[0], "fits")) return undefined;
  return rows
    .filter(({ key }) => key !== null)
    .map((row) => ({ key: readText(row, "key"), body: readText(row, "body") }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
}
