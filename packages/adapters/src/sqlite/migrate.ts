import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "@turnseal/ports";
import { canLiveWith, describeAhead } from "../later-schema.ts";
import { readInteger } from "./columns.ts";
import type { Migration } from "./migrations/migrations.ts";
import { defineRepacking } from "./repack-records.ts";

/** "Turn" in ASCII: marks a file as ours. */
export const APPLICATION_ID = 0x5475726e;

// One statement, so that both are of one moment: another process may be making the tables.
const formatSql = `
  select (select application_id from pragma_application_id) as id,
         (select count(*) from sqlite_schema) as tables`;

/** Throws for a file that someone else made. It reads only: a foreign file is left as it is. */
export function checkFormat(db: DatabaseSync): void {
  const row = db.prepare(formatSql).get();
  const id = readInteger(row, "id");
  if (id === APPLICATION_ID) return;
  const tables = readInteger(row, "tables");
  if (id !== 0 || tables > 0)
    throw new StoreError("STORE_FORMAT_UNKNOWN", "the file is a database of something else");
}

/**
 * Brings the schema to the latest version, step by step in one transaction. Throws for a file of a
 * later version, except for one that is a step ahead and that this program can work with.
 */
export function migrate(db: DatabaseSync, migrations: readonly Migration[]): void {
  defineRepacking(db);
  db.exec("begin immediate");
  try {
    // Only here is it certain that no other process is at it.
    checkFormat(db);
    createTable(db);
    const { version, oldest } = readLatest(db);
    const isAhead = version > migrations.length;
    if (isAhead && !canLiveWith({ number: version, oldest }, migrations.length))
      throw new StoreError(
        "STORE_FORMAT_UNKNOWN",
        `the file ${describeAhead({ number: version, oldest }, migrations.length)}`,
      );
    const insert = db.prepare("insert into migration (version, oldest) values (?, ?)");
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue;
      db.exec(migration.sql);
      insert.run(index + 1, migration.oldest);
    }
    db.exec(`pragma application_id = ${APPLICATION_ID}`);
    db.exec("commit");
  } catch (error) {
    if (db.isTransaction) db.exec("rollback");
    throw error;
  }
}

function createTable(db: DatabaseSync): void {
  db.exec("create table if not exists migration (version integer primary key) strict");
  const columns = db.prepare("select name from pragma_table_info('migration')").all();
  if (columns.every(({ name }) => name !== "oldest"))
    db.exec("alter table migration add column oldest integer");
}

/** The last step that was made; without `oldest`, no older program can work with it. */
function readLatest(db: DatabaseSync): { readonly version: number; readonly oldest: number } {
  const sql = `
    select version, coalesce(oldest, version) as oldest from migration
    order by version desc limit 1`;
  const row = db.prepare(sql).get();
  if (row === undefined) return { version: 0, oldest: 0 };
  return { version: readInteger(row, "version"), oldest: readInteger(row, "oldest") };
}
