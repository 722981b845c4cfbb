import type { RowChange, ValueRow, ValueRows } from "./value-rows.ts";
import { SNAPSHOT_BYTES_MAX, SNAPSHOT_KEYS_MAX, VERSION_NONE } from "./value-state.ts";

/** The rows of one process. It never waits, so that every commit is of one moment. */
export function memoryValueRows(): ValueRows {
  const rows = new Map<string, ValueRow>();
  const logs = new Map<string, string[]>();
  let version = 0;
  const keysOf = (prefix: string) =>
    [...rows.keys()].filter((key) => key.startsWith(prefix)).sort();
  return {
    read: async (key) => rows.get(key),
    list: async (prefix, after, limit) =>
      keysOf(prefix)
        .filter((key) => key > after)
        .slice(0, limit),
    commit: async ({ clear, changes }) => {
      const stale = findStale(changes, (key) => rows.get(key)?.version);
      if (stale !== undefined) return stale;
      version++;
      if (clear !== undefined) for (const key of keysOf(clear)) rows.delete(key);
      for (const { key, body } of changes) {
        if (body === null) rows.delete(key);
        else rows.set(key, { key, version, body });
      }
      return { kind: "done", version };
    },
    readAll: async (prefix) => ifSnapshot(keysOf(prefix).flatMap((key) => rows.get(key) ?? [])),
    append: async (log, body) => {
      const entries = logs.get(log) ?? [];
      logs.set(log, entries);
      return entries.push(body);
    },
    readLog: async (log, from, limit) =>
      (logs.get(log) ?? [])
        .slice(from - 1, from - 1 + limit)
        .map((body, index) => ({ number: from + index, body })),
  };
}

/** The first change, in the order of keys, whose key has another version than it names. */
export function findStale(
  changes: readonly RowChange[],
  versionOf: (key: string) => number | undefined,
) {
  const [first] = changes
    .filter(
      ({ key, version }) => version !== undefined && version !== (versionOf(key) ?? VERSION_NONE),
    )
    .map(({ key }) => key)
    .sort();
  if (first === undefined) return undefined;
  return { kind: "stale", key: first, version: versionOf(first) ?? VERSION_NONE } as const;
}

/** Rows that are not more than a snapshot may have. */
export function ifSnapshot<Row extends Pick<ValueRow, "body">>(
  rows: readonly Row[],
): readonly Row[] | undefined {
  if (rows.length > SNAPSHOT_KEYS_MAX) return undefined;
  const bytes = rows.reduce((sum, { body }) => sum + Buffer.byteLength(body), 0);
  return bytes > SNAPSHOT_BYTES_MAX ? undefined : rows;
}
