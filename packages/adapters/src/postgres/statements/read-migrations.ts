import { readInteger, readText } from "../columns.ts";
import type { Database, Statement } from "../database.ts";

export const readMigrationsStatement: Statement = {
  name: "read-migrations",
  reach: "tenant",
  text: "select number, checksum from turnseal.migration order by number",
};

export interface AppliedMigration {
  readonly number: number;
  readonly checksum: string;
}

export async function readMigrations(db: Database): Promise<readonly AppliedMigration[]> {
  const rows = await db.query(readMigrationsStatement, []);
  return rows.map((row) => ({
    number: readInteger(row, "number"),
    checksum: readText(row, "checksum"),
  }));
}
