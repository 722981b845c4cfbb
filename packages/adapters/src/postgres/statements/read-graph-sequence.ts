import { readInteger } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const readGraphSequenceStatement: Statement = {
  name: "read-graph-sequence",
  reach: "run",
  text: "select sequence from turnseal.graph where tenant = $1 and run = $2",
};

export async function readGraphSequence(db: Database, run: string): Promise<number | undefined> {
  const [row] = await db.query(readGraphSequenceStatement, [db.tenant, run]);
  return row === undefined ? undefined : readInteger(row, "sequence");
}
