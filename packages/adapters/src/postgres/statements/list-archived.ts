import { readFlag, readInteger, readMoment, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

/** A run that is in an archive. */
export interface ArchivedRun {
  readonly run: string;
  /** The end of its log, which its bundle has. */
  readonly head: { readonly sequence: number; readonly hash: string };
  /** Where the archive is. */
  readonly place: string;
  /** False where its bundle has no content, or none that may be shown: it was erased. */
  readonly hasContent: boolean;
  readonly archivedAt: string;
}

export const listArchivedStatement: Statement = {
  name: "list-archived",
  reach: "tenant",
  text: `
    select run, sequence, hash, place, has_content, archived_at from turnseal.archived
     where tenant = $1 and run = any($2::uuid[])`,
};

/** Those of the runs that are in an archive. */
export async function listArchived(
  db: Database,
  runs: readonly string[],
): Promise<readonly ArchivedRun[]> {
  const rows = await db.query(listArchivedStatement, [db.tenant, runs]);
  return rows.map((row) => ({
    run: readText(row, "run"),
    head: { sequence: readInteger(row, "sequence"), hash: readText(row, "hash") },
    place: readText(row, "place"),
    hasContent: readFlag(row, "has_content"),
    archivedAt: readMoment(row, "archived_at"),
  }));
}
