import { type Append, type AppendAnswer, checkAppend } from "@turnseal/ports";
import { readFlag, readInteger } from "./columns.ts";
import type { Database } from "./open-database.ts";
import { retryClash } from "./retry-clash.ts";
import { appendEventsStatement, renderRows } from "./statements/append-events.ts";
import { appendGraphStatement, renderGraph } from "./statements/append-graph.ts";
import { appendSpentStatement, renderSpent } from "./statements/append-spent.ts";
import { appendTurnStatement, carriesMore, renderMore } from "./statements/append-turn.ts";
import { explainAppend } from "./statements/explain-append.ts";
import { type Counting, sumSpent } from "./tenant-spent.ts";

/**
 * Appends all of it or nothing, as one statement. If no row comes back, a second statement decides:
 * one statement alone cannot tell an append whose commit was in doubt from a conflict.
 */
export async function appendRows(
  db: Database,
  append: Append,
  counting?: Counting,
): Promise<AppendAnswer> {
  const last = checkAppend(append);
  const rows = [db.tenant, ...renderRows(append, last)];
  const spent = counting?.isCounted() === true ? sumSpent(append.events) : undefined;
  const ask = () => {
    if (append.graph !== undefined) {
      const counted = renderSpent(append.run, spent);
      const beside = [...renderMore(append), ...counted, ...renderGraph(append.graph)];
      return db.query(appendGraphStatement, [...rows, ...beside]);
    }
    if (spent !== undefined) {
      const counted = renderSpent(append.run, spent);
      return db.query(appendSpentStatement, [...rows, ...renderMore(append), ...counted]);
    }
    return carriesMore(append)
      ? db.query(appendTurnStatement, [...rows, ...renderMore(append)])
      : db.query(appendEventsStatement, rows);
  };
  // Content has the same key for every writer; every other clash is an error.
  const [row] = await retryClash(["blob"], ask);
  if (spent !== undefined) counting?.onCounted();
  if (readInteger(row, "moved") === 0) return explainAppend(db, append, last);
  return { kind: "appended", inboxIsEmpty: readFlag(row, "inbox_is_empty") };
}
