import { readFlag, readInteger } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";
import { PERIOD_OF_RUN } from "../open-run.ts";

/** The most blobs, and the most messages, that one statement erases. */
export const ERASE_BATCH_MAX = 500;

export const eraseContentStatement: Statement = {
  name: "erase-content",
  reach: "run",
  text: `
    with blobs as (
      delete from turnseal.blob
       where tenant = $1 and run = $2 and period = ${PERIOD_OF_RUN}
         and digest = any(array(
         select digest from turnseal.blob
          where tenant = $1 and run = $2 and period = ${PERIOD_OF_RUN}
          limit ${ERASE_BATCH_MAX}))
      returning 1),
    messages as (
      update turnseal.inbox set body = null, fingerprint = null
       where tenant = $1 and run = $2 and key = any(array(
         select key from turnseal.inbox
          where tenant = $1 and run = $2 and (body is not null or fingerprint is not null)
          limit ${ERASE_BATCH_MAX}))
      returning 1),
    keys as (
      delete from turnseal.run_key where tenant = $1 and run = $2),
    calls as (
      delete from turnseal.cached_call where tenant = $1 and run = $2),
    noted as (
      update turnseal.archived set has_content = false
       where tenant = $1 and run = $2 and has_content),
    snapshot as (
      update turnseal.run set is_erased = true
       where tenant = $1 and run = $2 and not is_erased)
    select (select count(*) from blobs) + (select count(*) from messages) as erased,
           coalesce(${PERIOD_OF_RUN} < 0, false) as is_archived`,
};

export interface ErasedBatch {
  /** How many rows it was. */
  readonly rows: number;
  /** True where the head does not say in which period the run was. */
  readonly isArchived: boolean;
}

/** Erases one batch of a run that is marked. */
export async function eraseContent(db: Database, run: string): Promise<ErasedBatch> {
  const [row] = await db.query(eraseContentStatement, [db.tenant, run]);
  return { rows: readInteger(row, "erased"), isArchived: readFlag(row, "is_archived") };
}
