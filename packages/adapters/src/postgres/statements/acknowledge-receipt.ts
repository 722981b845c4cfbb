import type { SealedReceipt } from "@turnseal/ports";
import type { Database, Statement } from "../open-database.ts";

export const acknowledgeReceiptStatement: Statement = {
  name: "acknowledge-receipt",
  reach: "tenant",
  text: `
    delete from turnseal.outbox
     where tenant = $1 and observer = $2 and run = $3::uuid and turn = $4::bigint`,
};

export async function acknowledgeReceipt(
  db: Database,
  observer: string,
  { run, turn }: Pick<SealedReceipt, "run" | "turn">,
): Promise<void> {
  await db.query(acknowledgeReceiptStatement, [db.tenant, observer, run, turn]);
}
