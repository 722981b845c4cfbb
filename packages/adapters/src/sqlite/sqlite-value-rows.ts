import { findStale, type ValueRows } from "@turnseal/ports";
import type { Connection } from "./connection.ts";
import type { ValueStatements } from "./statements/value-statements.ts";

/** Values in a file: one write is one transaction, which holds the file. */
export function sqliteValueRows(connection: Connection, statements: ValueStatements): ValueRows {
  return {
    read: (key) => connection.read(() => statements.read(key)),
    list: (prefix, after, limit) => connection.read(() => statements.list(prefix, after, limit)),
    commit: ({ clear, changes }) =>
      connection.write(() => {
        const stale = findStale(changes, (key) => statements.read(key)?.version);
        if (stale !== undefined) return stale;
        const version = statements.nextVersion();
        if (clear !== undefined) statements.clear(clear);
        for (const { key, body } of changes) {
          if (body === null) statements.remove(key);
          else statements.put({ key, version, body });
        }
        return { kind: "done", version };
      }),
    // As a transaction: the size and the values must be of one moment.
    readAll: (prefix) => connection.write(() => statements.readAll(prefix)),
    append: (log, body) => connection.write(() => statements.append(log, body)),
    readLog: (log, from, limit) => connection.read(() => statements.readLog(log, from, limit)),
  };
}
