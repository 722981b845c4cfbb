import { readBytes } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const readKeyStatement: Statement = {
  name: "read-key",
  reach: "run",
  text: "select key from turnseal.run_key where tenant = $1 and run = $2",
};

/** The key of a run that has one. */
export async function readKey(db: Database, run: string): Promise<Uint8Array | undefined> {
  const [row] = await db.query(readKeyStatement, [db.tenant, run]);
  return row === undefined ? undefined : readBytes(row, "key");
}
