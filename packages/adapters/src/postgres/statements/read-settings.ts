import { readFlag } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const readSettingsStatement: Statement = {
  name: "read-settings",
  reach: "tenant",
  text: `
    select current_user = $2::text
       and current_setting('turnseal.tenant', true) is not distinct from $1::text as is_kept`,
};

/** True when the connection has the role and the tenant that it was opened with. */
export async function readSettingsKept(db: Database, role: string): Promise<boolean> {
  const [row] = await db.query(readSettingsStatement, [db.tenant, role]);
  return readFlag(row, "is_kept");
}
