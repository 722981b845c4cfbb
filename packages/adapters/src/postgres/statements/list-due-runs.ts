import { RUNS_LIST_MAX } from "@turnseal/ports";
import { readMoment, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export interface DueRun {
  readonly run: string;
  readonly dueAt: string;
}

export const listDueRunsStatement: Statement = {
  name: "list-due-runs",
  reach: "tenant",
  text: `
    select run, due_at from turnseal.run
     where tenant = $1 and due_at <= $2 and (due_at, run) > ($3, $4)
     order by due_at, run limit ${RUNS_LIST_MAX}`,
};

/** Runs that are due before a time, the longest overdue first, after one. */
export async function listDueRuns(
  db: Database,
  until: string,
  after: DueRun,
): Promise<readonly DueRun[]> {
  const values = [db.tenant, until, after.dueAt, after.run];
  const rows = await db.query(listDueRunsStatement, values);
  return rows.map((row) => ({ run: readText(row, "run"), dueAt: readMoment(row, "due_at") }));
}
