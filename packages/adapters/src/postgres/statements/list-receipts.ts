import type { StoredReceipt } from "@turnseal/ports";
import { unpackEnvelope } from "../../pack-envelope.ts";
import { readBytes, readInteger, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";
import { PERIOD_OF_RUN } from "../open-run.ts";

export const listReceiptsStatement: Statement = {
  name: "list-receipts",
  reach: "run",
  text: `
    select turn, receipt_id, envelope from turnseal.receipt
     where tenant = $1 and run = $2 and turn >= $3 and period = ${PERIOD_OF_RUN}
     order by turn limit $4`,
};

export interface TurnRange {
  readonly from: number;
  readonly limit: number;
}

export async function listReceipts(
  db: Database,
  run: string,
  { from, limit }: TurnRange,
): Promise<readonly StoredReceipt[]> {
  const rows = await db.query(listReceiptsStatement, [db.tenant, run, from, limit]);
  return rows.map((row) => ({
    run,
    turn: readInteger(row, "turn"),
    id: readText(row, "receipt_id"),
    envelope: unpackEnvelope(readBytes(row, "envelope")),
  }));
}
