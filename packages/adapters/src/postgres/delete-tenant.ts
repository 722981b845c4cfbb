/**
 * Deletes everything of a tenant, under the owner's role. It works in batches, so that other work
 * does not wait. If it is interrupted, calling it again continues.
 *
 * A worker may be in a step that it began before the tenant was suspended. So every run is fenced
 * first, and all tables are searched until they are empty: later writes of such a worker are
 * refused, or deleted as well.
 */
import { readInteger, readText } from "./columns.ts";
import type { Database, Statement } from "./open-database.ts";

/** The deleted rows of one table so far. */
export interface TenantDeleted {
  readonly table: string;
  readonly rows: number;
}

/** The most runs, or cached calls, whose rows of one table are deleted at once. */
export const DELETE_BATCH_MAX = 100;

/**
 * The head of a run goes last: a run that has one is not gone yet. Nodes and edges go with their
 * graph.
 */
const tables = [
  ...[
    "graph",
    "waiting",
    "run",
    "blob",
    "run_key",
    "receipt",
    "inbox",
    "segment",
    "head",
    "archived",
  ].map((table) => ({ table, key: "run" })),
  { table: "outbox", key: "observer, run, turn" },
  { table: "cached_call", key: "name" },
  { table: "cache_key", key: "tenant" },
  { table: "tenant_spent", key: "stripe" },
  { table: "tenant_pace", key: "tenant" },
  { table: "signing_key", key: "key_id" },
  { table: "value", key: "key" },
  { table: "value_log", key: "log" },
  { table: "value_entry", key: "log, number" },
];

/** Answers with how many rows are gone. */
export async function deleteTenant(
  db: Database,
  tenant: string,
  onDeleted: (deleted: TenantDeleted) => void,
): Promise<number> {
  await fenceRuns(db, tenant);
  for (let all = 0; ; ) {
    const gone = await deleteOnce(db, tenant, onDeleted);
    if (gone === 0) return all;
    all += gone;
  }
}

/** Ends every epoch, and has every run refuse content. */
async function fenceRuns(db: Database, tenant: string): Promise<void> {
  for (let after: string | undefined = NO_RUN; after !== undefined; ) {
    const rows = await db.query(fenceStatement, [tenant, after]);
    after = rows.length === 0 ? undefined : readText(rows.at(-1), "run");
  }
}

/** Before every run. */
const NO_RUN = "00000000-0000-0000-0000-000000000000";

const fenceStatement: Statement = {
  name: "fence-runs",
  reach: "tenant",
  text: `
    with next as (
      select run from turnseal.head where tenant = $1 and run > $2::uuid
       order by run limit ${DELETE_BATCH_MAX} for update),
    fenced as (
      update turnseal.head as head set epoch = head.epoch + 1, is_erased = true
        from next where head.tenant = $1 and head.run = next.run)
    select run::text as run from next order by run`,
};

async function deleteOnce(
  db: Database,
  tenant: string,
  onDeleted: (deleted: TenantDeleted) => void,
): Promise<number> {
  let all = 0;
  for (const { table, key } of tables) {
    const statement = deleteStatement(table, key);
    for (let rows = 0; ; ) {
      const [row] = await db.query(statement, [tenant]);
      const count = readInteger(row, "count");
      if (count === 0) break;
      rows += count;
      all += count;
      onDeleted({ table, rows });
    }
  }
  return all;
}

/** The key is what names a row within its tenant: columns, with commas between. */
function deleteStatement(table: string, key: string): Statement {
  return {
    name: `delete-${table}`,
    reach: "tenant",
    text: `
      with gone as (
        delete from turnseal.${table} where tenant = $1 and (${key}) in (
          select ${key} from turnseal.${table} where tenant = $1
           order by ${key} limit ${DELETE_BATCH_MAX})
        returning 1)
      select count(*) as count from gone`,
  };
}

/** True where a run has not ended, or has been started and nobody has looked. */
export async function hasUnfinished(db: Database, tenant: string): Promise<boolean> {
  return (await db.query(unfinishedStatement, [tenant])).length > 0;
}

const unfinishedStatement: Statement = {
  name: "find-unfinished",
  reach: "tenant",
  text: `
    (select 1 from turnseal.run where tenant = $1 and ended_at is null limit 1)
    union all
    (select 1 from turnseal.inbox
      where tenant = $1 and kind = 'start' and body is not null limit 1)`,
};
