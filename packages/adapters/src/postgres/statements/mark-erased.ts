import type { Database, Statement } from "../open-database.ts";
import { retryClash } from "../retry-clash.ts";

/**
 * The lock waits for every process that holds the run open, and every later one finds the mark:
 * from then on nothing is added. An update alone would not wait, because it leaves the key of the
 * row as it is. Its inbox takes no messages any more, so the run needs no further step.
 */
export const markErasedStatement: Statement = {
  name: "mark-erased",
  reach: "run",
  text: `
    with held as (
      select from turnseal.head where tenant = $1 and run = $2 for update),
    marked as (
      update turnseal.head set is_erased = true
       where tenant = $1 and run = $2 and exists (select from held)),
    asked as (
      delete from turnseal.waiting where tenant = $1 and run = $2)
    insert into turnseal.head (tenant, run, is_erased)
    select $1, $2, true where not exists (select from held)`,
};

export async function markErased(db: Database, run: string): Promise<void> {
  await retryClash(["head"], () => db.query(markErasedStatement, [db.tenant, run]));
}
