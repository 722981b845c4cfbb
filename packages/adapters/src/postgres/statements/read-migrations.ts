import { readInteger, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const readMigrationsStatement: Statement = {
  name: "read-migrations",
  reach: "tenant",
  // A database that was not migrated since may lack the column.
  text: `select number, checksum, coalesce((to_jsonb(m) ->> 'oldest')::integer, number) as oldest
    from turnseal.migration m order by number`,
};

export interface AppliedMigration {
  readonly number: number;
  readonly checksum: string;
  /** How many migrations a program must know at least to live with it. */
  readonly oldest: number;
}

export async function readMigrations(db: Database): Promise<readonly AppliedMigration[]> {
  const rows = await db.query(readMigrationsStatement, []);
  return rows.map((row) => ({
    number: readInteger(row, "number"),
    checksum: readText(row, "checksum"),
    oldest: readInteger(row, "oldest"),
  }));
}
