import { OUTBOX_READ_MAX, type SealedReceipt } from "@turnseal/ports";
import { readInteger, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const listOutboxStatement: Statement = {
  name: "list-outbox",
  reach: "tenant",
  text: `
    select run::text as run, turn, receipt_id from turnseal.outbox
     where tenant = $1 and observer = $2 and (run, turn) > ($3::uuid, $4::bigint)
     order by outbox.run, outbox.turn limit ${OUTBOX_READ_MAX}`,
};

export async function listOutbox(
  db: Database,
  observer: string,
  { run, turn }: Pick<SealedReceipt, "run" | "turn">,
): Promise<readonly SealedReceipt[]> {
  const rows = await db.query(listOutboxStatement, [db.tenant, observer, run, turn]);
  return rows.map((row) => ({
    run: readText(row, "run"),
    turn: readInteger(row, "turn"),
    id: readText(row, "receipt_id"),
  }));
}
