/** Values over the rows of a store: requests are checked here, the same for every store. */
import { copyJson, type JsonValue, VALUE_BYTES_MAX } from "@turnseal/protocol";
import { ValueError } from "./value-error.ts";
import type { RowChange, ValueRows } from "./value-rows.ts";
import {
  LOG_ENTRIES_READ_MAX,
  LOG_ENTRY_BYTES_MAX,
  SNAPSHOT_BYTES_MAX,
  SNAPSHOT_KEYS_MAX,
  VALUE_CHANGES_BYTES_MAX,
  VALUE_CHANGES_MAX,
  VALUE_KEY_LENGTH_MAX,
  VALUE_LIST_MAX,
  type ValueChange,
  type ValueSnapshot,
  type ValueStateLayer,
} from "./value-state.ts";

export function bindValues(rows: ValueRows): ValueStateLayer {
  const read = async (key: string) => {
    const row = await rows.read(checkKey(key));
    return row && { value: parse(row.body), version: row.version };
  };
  const transact = async (changes: readonly ValueChange[]) =>
    rows.commit({ changes: renderChanges(changes) });
  return {
    read,
    transact,
    get: async (key) => (await read(key))?.value,
    set: async (key, value) => void (await transact([{ kind: "set", key, value }])),
    delete: async (key) => void (await transact([{ kind: "delete", key }])),
    compareAndSet: async (key, version, value) => transact([{ kind: "set", key, version, value }]),
    list: async (prefix, after = "") =>
      rows.list(checkPrefix(prefix), checkPrefix(after), VALUE_LIST_MAX),
    snapshot: async (prefix) => {
      const found = await rows.readAll(checkPrefix(prefix));
      if (found === undefined)
        throw new ValueError("VALUE_SNAPSHOT_TOO_LARGE", "this is more than a snapshot may have");
      return { prefix, values: found.map(({ key, body }) => ({ key, value: parse(body) })) };
    },
    restore: async (snapshot) => {
      const { prefix, values } = snapshot;
      await rows.commit({ clear: checkPrefix(prefix), changes: renderRestored(snapshot, values) });
    },
    append: async (log, entry) => rows.append(checkKey(log), render(entry, LOG_ENTRY_BYTES_MAX)),
    readLog: async (log, from, limit = LOG_ENTRIES_READ_MAX) => {
      for (const number of [from, limit])
        if (!Number.isSafeInteger(number))
          throw new ValueError("VALUE_INVALID", "a number of entries is not whole");
      const most = Math.min(Math.max(limit, 0), LOG_ENTRIES_READ_MAX);
      const found = await rows.readLog(checkKey(log), Math.max(from, 1), most);
      return found.map(({ number, body }) => ({ number, entry: parse(body) }));
    },
  };
}

// Printable ASCII without the space: the same order and the same prefixes in every store.
const keyPattern = /^[\x21-\x7e]*$/;

function checkPrefix(prefix: string): string {
  if (typeof prefix !== "string" || prefix.length > VALUE_KEY_LENGTH_MAX)
    throw new ValueError("VALUE_KEY_INVALID", `a key has 1 to ${VALUE_KEY_LENGTH_MAX} characters`);
  if (!keyPattern.test(prefix))
    throw new ValueError("VALUE_KEY_INVALID", "a key has printable ASCII characters, no spaces");
  return prefix;
}

function checkKey(key: string): string {
  if (key === "") throw new ValueError("VALUE_KEY_INVALID", "a key is not empty");
  return checkPrefix(key);
}

function render(value: JsonValue, bytesMax: number): string {
  const copied = copyJson(value, bytesMax);
  if (copied.kind === "refused")
    throw new ValueError("VALUE_INVALID", `this value ${copied.reason}`);
  return JSON.stringify(copied.value);
}

function parse(body: string): JsonValue {
  return JSON.parse(body) as JsonValue;
}

function renderChanges(changes: readonly ValueChange[]): readonly RowChange[] {
  if (changes.length === 0 || changes.length > VALUE_CHANGES_MAX)
    throw refuseChanges(`a transaction has 1 to ${VALUE_CHANGES_MAX} changes`);
  const rendered = changes.map((change): RowChange => {
    const { key, version } = change;
    if (version !== undefined && !(Number.isSafeInteger(version) && version >= 0))
      throw refuseChanges("a version is a whole number, not below zero");
    const body = change.kind === "set" ? render(change.value, VALUE_BYTES_MAX) : null;
    return { key: checkKey(key), body, ...(version === undefined ? {} : { version }) };
  });
  checkTogether(rendered, VALUE_CHANGES_BYTES_MAX);
  return rendered;
}

function renderRestored(
  { prefix }: ValueSnapshot,
  values: ValueSnapshot["values"],
): readonly RowChange[] {
  if (values.length > SNAPSHOT_KEYS_MAX)
    throw new ValueError("VALUE_SNAPSHOT_TOO_LARGE", "this is more than a snapshot may have");
  const rendered = values.map(({ key, value }) => {
    if (!checkKey(key).startsWith(prefix))
      throw refuseChanges("a snapshot has a key that does not begin with its prefix");
    return { key, body: render(value, VALUE_BYTES_MAX) };
  });
  checkTogether(rendered, SNAPSHOT_BYTES_MAX);
  return rendered;
}

function checkTogether(changes: readonly RowChange[], bytesMax: number): void {
  if (new Set(changes.map(({ key }) => key)).size < changes.length)
    throw refuseChanges("a key is named twice");
  const bytes = changes.reduce((sum, { body }) => sum + Buffer.byteLength(body ?? ""), 0);
  if (bytes > bytesMax) throw refuseChanges(`the values have more than ${bytesMax} bytes together`);
}

function refuseChanges(message: string): ValueError {
  return new ValueError("VALUE_CHANGES_INVALID", message);
}
