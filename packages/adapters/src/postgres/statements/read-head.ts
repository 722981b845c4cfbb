import type { EventLog } from "@turnseal/ports";
import { readInteger, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const readHeadStatement: Statement = {
  name: "read-head",
  reach: "run",
  text: `
    select epoch, sequence, hash from turnseal.head
     where tenant = $1 and run = $2 and epoch > 0`,
};

export async function readHead(db: Database, run: string): ReturnType<EventLog["readHead"]> {
  const [row] = await db.query(readHeadStatement, [db.tenant, run]);
  if (row === undefined) return undefined;
  const [sequence, hash] = [readInteger(row, "sequence"), readText(row, "hash")];
  return { sequence, hash, epoch: readInteger(row, "epoch") };
}
