import type { CommitAnswer, ValueCommit } from "@turnseal/ports";
import { readFlag, readInteger, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const changeValuesStatement: Statement = {
  name: "change-values",
  reach: "tenant",
  // A second time it would find the change of the first, and report a conflict.
  isAskedOnce: true,
  text: "select is_done, at_key, at_version from turnseal.change_values($1, $2, $3)",
};

/** Changes values, all or none. */
export async function changeValues(db: Database, commit: ValueCommit): Promise<CommitAnswer> {
  const { clear = null, changes } = commit;
  const values = [db.tenant, clear, JSON.stringify(changes)];
  const [row] = await db.query(changeValuesStatement, values);
  const version = readInteger(row, "at_version");
  if (readFlag(row, "is_done")) return { kind: "done", version };
  return { kind: "stale", key: readText(row, "at_key"), version };
}
