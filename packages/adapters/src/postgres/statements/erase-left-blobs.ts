import { readInteger } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";
import { ERASE_BATCH_MAX } from "./erase-content.ts";

/**
 * The blobs that an archived run has left in its period, which may exist for long. Each existing
 * period is searched by run.
 */
export const eraseLeftBlobsStatement: Statement = {
  name: "erase-left-blobs",
  reach: "tenant",
  text: `
    with blobs as (
      delete from turnseal.blob
       where tenant = $1 and run = $2 and digest = any(array(
         select digest from turnseal.blob
          where tenant = $1 and run = $2 limit ${ERASE_BATCH_MAX}))
      returning 1)
    select count(*) as erased from blobs`,
};

/** Erases one batch of it, and answers how many rows it was. */
export async function eraseLeftBlobs(db: Database, run: string): Promise<number> {
  const [row] = await db.query(eraseLeftBlobsStatement, [db.tenant, run]);
  return readInteger(row, "erased");
}
