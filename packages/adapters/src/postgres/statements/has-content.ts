import { readFlag } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const hasContentStatement: Statement = {
  name: "has-content",
  reach: "run",
  text: `
    select is_erased from turnseal.head
     where tenant = $1 and run = $2 and epoch > 0`,
};

/**
 * True when a run has begun and was not erased, so that it has its key, without reading the key.
 */
export async function hasContent(db: Database, run: string): Promise<boolean> {
  const [row] = await db.query(hasContentStatement, [db.tenant, run]);
  return row !== undefined && !readFlag(row, "is_erased");
}
