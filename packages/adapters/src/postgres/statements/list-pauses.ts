import { StoreError } from "@turnseal/ports";
import { PAUSE_SCOPES, type Pause, type PauseScope } from "@turnseal/protocol";
import { type Row, readMoment, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

/** The most pauses: every worker reads all of them, again and again. */
export const PAUSES_MAX = 500;

export const listPausesStatement: Statement = {
  name: "list-pauses",
  reach: "tenant",
  text: `
    select scope, name, because, paused_by, since from turnseal.pause
     order by scope, name limit ${PAUSES_MAX + 1}`,
};

/**
 * Lists all pauses. If there are more than a read can have, no run can be sure that it is not
 * paused.
 */
export async function listPauses(db: Pick<Database, "query">): Promise<readonly Pause[]> {
  const rows = await db.query(listPausesStatement, []);
  if (rows.length > PAUSES_MAX)
    throw new StoreError("STORE_CORRUPT", `there are more than ${PAUSES_MAX} pauses`);
  return rows.map(toPause);
}

export function toPause(row: Row): Pause {
  const said = readText(row, "scope");
  const scope = PAUSE_SCOPES.find((each: PauseScope) => each === said);
  if (scope === undefined) throw new StoreError("STORE_CORRUPT", "a pause holds what is unknown");
  return {
    scope,
    name: readText(row, "name"),
    because: readText(row, "because"),
    by: readText(row, "paused_by"),
    since: readMoment(row, "since"),
  };
}
