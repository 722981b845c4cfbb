import type { ValueRow } from "@turnseal/ports";
import { readInteger, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const readValueStatement: Statement = {
  name: "read-value",
  reach: "tenant",
  text: "select version, body from turnseal.value where tenant = $1 and key = $2",
};

export async function readValue(db: Database, key: string): Promise<ValueRow | undefined> {
  const [row] = await db.query(readValueStatement, [db.tenant, key]);
  if (row === undefined) return undefined;
  return { key, version: readInteger(row, "version"), body: readText(row, "body") };
}
