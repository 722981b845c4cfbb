import type { Blob } from "@turnseal/ports";
import { checkDigest, checkRunId } from "../names.ts";
import type { Database, Statement } from "../open-database.ts";
import { OPEN_RUN } from "../open-run.ts";
import { retryClash } from "../retry-clash.ts";

export const putBlobStatement: Statement = {
  name: "put-blob",
  reach: "run",
  text: `
    with ${OPEN_RUN}
    insert into turnseal.blob (tenant, run, period, digest, bytes)
    select $1, $2, period, $3, $4 from opened_run
     where not is_erased and not exists (
       select from turnseal.blob
        where tenant = $1 and run = $2 and digest = $3
          and blob.period = opened_run.period)`,
};

/** Stores a blob apart from an append, unless it is there or the run was erased. */
export async function putBlob(db: Database, run: string, { digest, bytes }: Blob): Promise<void> {
  checkRunId(run);
  const values = [db.tenant, run, checkDigest(digest), bytes];
  await retryClash(["head", "blob"], () => db.query(putBlobStatement, values));
}
