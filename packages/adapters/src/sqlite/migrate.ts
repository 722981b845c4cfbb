import type { DatabaseSync } from "node:sqlite";
import { StoreError } from "@turnseal/ports";
import { readInteger } from "./columns.ts";

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
 * later version.
 */
export function migrate(db: DatabaseSync, migrations: readonly string[]): void {
  db.exec("begin immediate");
  try {
    // Only here is it certain that no other process is at it.
    checkFormat(db);
    db.exec("create table if not exists migration (version integer primary key) strict");
    const version = readVersion(db);
    if (version > migrations.length) {
      throw new StoreError(
        "STORE_FORMAT_UNKNOWN",
        `the file has schema version ${version}, and this program knows ${migrations.length}`,
      );
    }
    const insert = db.prepare("insert into migration (version) values (?)");
    for (const [index, migration] of migrations.entries()) {
      if (index < version) continue;
      db.exec(migration);
      insert.run(index + 1);
    }
    db.exec(`pragma application_id = ${APPLICATION_ID}`);
    db.exec("commit");
  } catch (error) {
    if (db.isTransaction) db.exec("rollback");
    throw error;
  }
}

function readVersion(db: DatabaseSync): number {
  const row = db.prepare("select coalesce(max(version), 0) as version from migration").get();
  return readInteger(row, "version");
}
