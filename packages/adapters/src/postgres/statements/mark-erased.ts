import type { Database, Statement } from "../open-database.ts";
import { retryClash } from "../retry-clash.ts";

/**
 * The lock waits for everybody who holds the run open, and everybody who comes after it finds the
 * mark: from then on nothing is added. An update alone would not wait, because it leaves the key of
 * the row as it is. Its inbox takes nothing any more, so that it asks for nothing either.
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
