import { RUNS_LIST_MAX } from "@turnseal/ports";
import { type Row, readMoment, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

/** When a run started, for whoever looks for the newest. */
export interface StartedRun {
  readonly run: string;
  /** The empty text while its first event is not written. */
  readonly startedAt: string;
  readonly endedAt?: string;
}

export const listStartedRunsStatement: Statement = {
  name: "list-started-runs",
  reach: "tenant",
  text: `
    select run, state->>'startedAt' as started_at, ended_at from turnseal.run
     where tenant = $1 and run > $2
     order by run limit ${RUNS_LIST_MAX}`,
};

/** When each run of a tenant started, by the ids of the runs, after one. */
export async function listStartedRuns(db: Database, after: string): Promise<readonly StartedRun[]> {
  const rows = await db.query(listStartedRunsStatement, [db.tenant, after]);
  return rows.map(toStarted);
}

function toStarted(row: Row): StartedRun {
  const ended = row["ended_at"] === null ? {} : { endedAt: readMoment(row, "ended_at") };
  const startedAt = row["started_at"] === null ? "" : readText(row, "started_at");
  return { run: readText(row, "run"), startedAt, ...ended };
}
