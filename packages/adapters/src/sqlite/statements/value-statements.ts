import type { DatabaseSync } from "node:sqlite";
import {
  type EntryRow,
  SNAPSHOT_BYTES_MAX,
  SNAPSHOT_KEYS_MAX,
  type ValueRow,
} from "@turnseal/ports";
import { readInteger, readText } from "../columns.ts";

/** Statements on values and their logs. */
export interface ValueStatements {
  read(key: string): ValueRow | undefined;
  list(prefix: string, after: string, limit: number): readonly string[];
  /** Undefined where it is more than a snapshot may have. */
  readAll(prefix: string): readonly Pick<ValueRow, "key" | "body">[] | undefined;
  /** The version of what is written next. */
  nextVersion(): number;
  put(row: ValueRow): void;
  remove(key: string): void;
  clear(prefix: string): void;
  append(log: string, body: string): number;
  readLog(log: string, from: number, limit: number): readonly EntryRow[];
}

/** Keys are of characters before this one, so that what begins with a text ends before it. */
const BEHIND = "\u007f";

export function valueStatements(db: DatabaseSync): ValueStatements {
  const read = db.prepare("select key, version, body from value where key = ?");
  const list = db.prepare(`
    select key from value where key >= ? and key < ? and key > ? order by key limit ?`);
  const measure = db.prepare(`
    select count(*) as keys, coalesce(sum(length(cast(body as blob))), 0) as bytes
      from value where key >= ? and key < ?`);
  const readAll = db.prepare("select key, body from value where key >= ? and key < ? order by key");
  const nextVersion = db.prepare(
    "update value_version set version = version + 1 where id = 1 returning version",
  );
  const put = db.prepare(`
    insert into value (key, version, body) values (?, ?, ?)
    on conflict (key) do update set version = excluded.version, body = excluded.body`);
  const remove = db.prepare("delete from value where key = ?");
  const clear = db.prepare("delete from value where key >= ? and key < ?");
  const append = db.prepare(`
    insert into value_entry (log, number, body)
    select ?1, coalesce(max(number), 0) + 1, ?2 from value_entry where log = ?1
    returning number`);
  const readLog = db.prepare(
    "select number, body from value_entry where log = ? and number >= ? order by number limit ?",
  );
  const rangeOf = (prefix: string) => [prefix, `${prefix}${BEHIND}`] as const;
  return {
    read: (key) => {
      const row = read.get(key);
      if (row === undefined) return undefined;
      return { key, version: readInteger(row, "version"), body: readText(row, "body") };
    },
    list: (prefix, after, limit) =>
      list.all(...rangeOf(prefix), after, limit).map((row) => readText(row, "key")),
    readAll: (prefix) => {
      const size = measure.get(...rangeOf(prefix));
      if (readInteger(size, "keys") > SNAPSHOT_KEYS_MAX) return undefined;
      if (readInteger(size, "bytes") > SNAPSHOT_BYTES_MAX) return undefined;
      const rows = readAll.all(...rangeOf(prefix));
      return rows.map((row) => ({ key: readText(row, "key"), body: readText(row, "body") }));
    },
    nextVersion: () => readInteger(nextVersion.get(), "version"),
    put: ({ key, version, body }) => void put.run(key, version, body),
    remove: (key) => void remove.run(key),
    clear: (prefix) => void clear.run(...rangeOf(prefix)),
    append: (log, body) => readInteger(append.get(log, body), "number"),
    readLog: (log, from, limit) =>
      readLog.all(log, from, limit).map((row) => ({
        number: readInteger(row, "number"),
        body: readText(row, "body"),
      })),
  };
}
