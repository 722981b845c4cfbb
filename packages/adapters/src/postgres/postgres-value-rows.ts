import type { ValueRows } from "@turnseal/ports";
import type { Database } from "./open-database.ts";
import { appendEntry } from "./statements/append-entry.ts";
import { changeValues } from "./statements/change-values.ts";
import { listValues } from "./statements/list-values.ts";
import { readEntries } from "./statements/read-entries.ts";
import { readValue } from "./statements/read-value.ts";
import { readValues } from "./statements/read-values.ts";

/** Values of a tenant. */
export function postgresValueRows(db: Database): ValueRows {
  return {
    read: (key) => readValue(db, key),
    list: (prefix, after, limit) => listValues(db, prefix, after, limit),
    commit: (commit) => changeValues(db, commit),
    readAll: (prefix) => readValues(db, prefix),
    append: (log, body) => appendEntry(db, log, body),
    readLog: (log, from, limit) => readEntries(db, log, from, limit),
  };
}
