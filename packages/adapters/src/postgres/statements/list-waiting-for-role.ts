import { RUNS_LIST_MAX } from "@turnseal/ports";
import type { Database, Statement } from "../open-database.ts";
import { toWaitingEntry, type WaitingEntry, type WaitingPlace } from "./list-waiting.ts";

export const listWaitingForRoleStatement: Statement = {
  name: "list-waiting-for-role",
  reach: "tenant",
  text: `
    select run, sequence, id, kind, name, role, asked_at, decide_by from turnseal.waiting
     where tenant = $1 and role = $2 and (asked_at, run, sequence) > ($3, $4, $5)
     order by asked_at, run, sequence limit ${RUNS_LIST_MAX}`,
};

/** Requests to people of one role, oldest first, after one. */
export async function listWaitingForRole(
  db: Database,
  role: string,
  after: WaitingPlace,
): Promise<readonly WaitingEntry[]> {
  const values = [db.tenant, role, after.askedAt, after.run, after.sequence];
  const rows = await db.query(listWaitingForRoleStatement, values);
  return rows.map(toWaitingEntry);
}
