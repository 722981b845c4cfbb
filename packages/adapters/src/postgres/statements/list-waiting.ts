import { RUNS_LIST_MAX, type WaitingRow } from "@turnseal/ports";
import { type Row, readInteger, readMoment, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

/** One request to people, with the run that asks. */
export interface WaitingEntry extends WaitingRow {
  readonly run: string;
}

/** The place of an entry in a list. */
export type WaitingPlace = Pick<WaitingEntry, "askedAt" | "run" | "sequence">;

export const listWaitingStatement: Statement = {
  name: "list-waiting",
  reach: "tenant",
  text: `
    select run, sequence, id, kind, name, role, asked_at, decide_by from turnseal.waiting
     where tenant = $1 and (asked_at, run, sequence) > ($2, $3, $4)
     order by asked_at, run, sequence limit ${RUNS_LIST_MAX}`,
};

/** Requests to people of a tenant, oldest first, after one. */
export async function listWaiting(
  db: Database,
  after: WaitingPlace,
): Promise<readonly WaitingEntry[]> {
  const values = [db.tenant, after.askedAt, after.run, after.sequence];
  const rows = await db.query(listWaitingStatement, values);
  return rows.map(toWaitingEntry);
}

export function toWaitingEntry(row: Row): WaitingEntry {
  return {
    run: readText(row, "run"),
    sequence: readInteger(row, "sequence"),
    id: readText(row, "id"),
    kind: readText(row, "kind"),
    name: readText(row, "name"),
    role: row["role"] === null ? null : readText(row, "role"),
    askedAt: readMoment(row, "asked_at"),
    decideBy: row["decide_by"] === null ? null : readMoment(row, "decide_by"),
  };
}
