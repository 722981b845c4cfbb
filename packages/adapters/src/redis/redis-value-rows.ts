/**
 * Values on a Redis server. They are as durable as the server's settings: with `appendonly yes` and
 * `appendfsync always` answered changes survive its end. Eviction must be off.
 */
import {
  SNAPSHOT_BYTES_MAX,
  SNAPSHOT_KEYS_MAX,
  type ValueRow,
  type ValueRows,
} from "@turnseal/ports";
import { answerOf, readTexts, toPairs } from "./answer-of.ts";
import type { Connection } from "./connection.ts";
import { CHANGE_VALUES, READ_VALUES } from "./value-scripts.ts";

export function redisValueRows(connection: Connection, prefix: string): ValueRows {
  // A cluster keeps the part in braces in one place: one tenant, and not all of them.
  const keyOf = (part: string) => `${prefix}values:{${prefix}}:${part}`;
  const [bodies, keys, version] = [keyOf("bodies"), keyOf("keys"), keyOf("version")];
  const logOf = (log: string) => keyOf(`log:${log}`);
  return {
    read: async (key) => {
      const found = await answerOf(connection.send("HGET", bodies, key));
      return typeof found === "string" ? parseRow(key, found) : undefined;
    },
    list: async (prefixed, after, limit) => {
      const from = after >= prefixed ? `(${after}` : `[${prefixed}`;
      const to = `(${prefixed}\u007f`;
      const page = ["LIMIT", "0", String(limit)];
      return readTexts(connection.send("ZRANGEBYLEX", keys, from, to, ...page));
    },
    commit: async ({ clear, changes }) => {
      const given = changes.flatMap((change) => [
        ...[change.key, change.version === undefined ? "" : String(change.version)],
        change.body ?? "",
      ]);
      const cleared = clear === undefined ? ["0", ""] : ["1", clear];
      const asked = connection.run(CHANGE_VALUES, [bodies, keys, version], [...cleared, ...given]);
      const [isDone, at = "", stale = ""] = await readTexts(asked);
      if (isDone === "1") return { kind: "done", version: Number(at) };
      return { kind: "stale", key: stale, version: Number(at) };
    },
    readAll: async (prefixed) => {
      const most = [SNAPSHOT_KEYS_MAX, SNAPSHOT_BYTES_MAX].map(String);
      const told = await answerOf(connection.run(READ_VALUES, [bodies, keys], [prefixed, ...most]));
      if (!Array.isArray(told)) return undefined;
      return toPairs(told.map(String)).map(([key, row]) => parseRow(key, row));
    },
    append: async (log, body) => Number(await answerOf(connection.send("RPUSH", logOf(log), body))),
    readLog: async (log, from, limit) => {
      if (limit === 0) return [];
      const range = [from - 1, from - 2 + limit].map(String);
      const found = await readTexts(connection.send("LRANGE", logOf(log), ...range));
      return found.map((body, index) => ({ number: from + index, body }));
    },
  };
}

function parseRow(key: string, row: string): ValueRow {
  const at = row.indexOf(" ");
  return { key, version: Number(row.slice(0, at)), body: row.slice(at + 1) };
}
