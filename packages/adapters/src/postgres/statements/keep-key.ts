import { readBytes } from "../columns.ts";
import { checkRunId } from "../names.ts";
import type { Database, Statement } from "../open-database.ts";
import { OPEN_RUN } from "../open-run.ts";
import { retryClash } from "../retry-clash.ts";
import { readKey } from "./read-key.ts";

export const keepKeyStatement: Statement = {
  name: "keep-key",
  reach: "run",
  text: `
    with ${OPEN_RUN}
    insert into turnseal.run_key (tenant, run, key)
    select $1, $2, $3 from opened_run
     where not is_erased and not exists (
       select from turnseal.run_key where tenant = $1 and run = $2)
    returning key`,
};

/** The run's key: read where there is one, because most advances only want to know it. */
export async function keepKey(
  db: Database,
  run: string,
  key: Uint8Array,
): Promise<Uint8Array | undefined> {
  checkRunId(run);
  const known = await readKey(db, run);
  if (known !== undefined) return known;
  const values = [db.tenant, run, key];
  const [kept] = await retryClash(["head", "run_key"], () => db.query(keepKeyStatement, values));
  // Somebody else has given the run a key meanwhile, or it was erased.
  return kept === undefined ? readKey(db, run) : readBytes(kept, "key");
}
