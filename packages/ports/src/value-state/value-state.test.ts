import { describe, expect, test } from "vitest";
import { findMissed } from "../find-missed.test.data.ts";
import { bindValues } from "./bind-values.ts";
import { InMemoryVSL } from "./in-memory-vsl.ts";
import { memoryValueRows } from "./memory-value-rows.ts";
import type { ValueStateSubject } from "./value-contract.ts";
import type { ValueRows } from "./value-rows.ts";
import {
  LOG_ENTRY_BYTES_MAX,
  SNAPSHOT_BYTES_MAX,
  SNAPSHOT_KEYS_MAX,
  VALUE_CHANGES_BYTES_MAX,
  VALUE_CHANGES_MAX,
  type ValueChange,
  type ValueStateLayer,
} from "./value-state.ts";
import { valueStateContract } from "./value-state-contract.ts";

const subjectOf = (values: ValueStateLayer): ValueStateSubject => ({
  ...{ values, other: values, stranger: new InMemoryVSL() },
});

describe("values in memory keep the contract", () => {
  const create = () => subjectOf(new InMemoryVSL());
  for (const { name, run } of valueStateContract({ create })) test(name, run);
});

/** Values that differ in one method. */
const changed = (change: (values: ValueStateLayer) => Partial<ValueStateLayer>) => () => {
  const values = bindValues(memoryValueRows());
  return subjectOf({ ...values, ...change(values) });
};

/** Values over rows that differ in one method. */
const overRows = (change: (rows: ValueRows) => Partial<ValueRows>) => () => {
  const rows = memoryValueRows();
  return subjectOf(bindValues({ ...rows, ...change(rows) }));
};

const pass = () => new Promise<void>((resolve) => setTimeout(resolve, 1));
const without = <Value extends object>(value: Value, field: string): Value =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== field)) as Value;

type Broken = Readonly<Record<string, () => ValueStateSubject>>;

const brokenValues: Broken = {
  "what was set is read at once, by everybody, and nothing else is": changed(({ set }) => ({
    set: async (key, value) => void pass().then(() => set(key, value)),
  })),
  "a value is kept as it is, and as a copy": changed(({ get, set }) => {
    const kept = new Map<string, unknown>();
    return {
      get: async (key) => (kept.has(key) ? (kept.get(key) as never) : get(key)),
      set: async (key, value) => {
        if (key === "mine") kept.set(key, value);
        await set(key, value);
      },
    };
  }),
  "what is deleted is gone, also when it was not there": changed(({ set }) => ({
    delete: (key) => set(key, null),
  })),
  "keys are listed in order, by their beginning, after one": overRows(({ list }) => ({
    list: async (prefix, after, limit) =>
      [...(await list(prefix, after, limit))].sort((a, b) => a.localeCompare(b)),
  })),
  "a list has at most VALUE_LIST_MAX keys, and the next goes on after them": overRows(
    ({ list }) => ({ list: (prefix, after) => list(prefix, after, 100_000) }),
  ),
  "a value is compared and set by the version that was seen": overRows(({ commit }) => ({
    commit: ({ changes }) =>
      commit({ changes: changes.map((change) => without(change, "version")) }),
  })),
  "a version does not come again, also where a key was deleted meanwhile": changed((values) => {
    const versions = new Map<string, number>();
    const raise = (key: string) => void versions.set(key, (versions.get(key) ?? 0) + 1);
    return {
      read: async (key) => {
        const found = await values.read(key);
        return found && { ...found, version: versions.get(key) ?? 0 };
      },
      set: async (key, value) => {
        raise(key);
        await values.set(key, value);
      },
      delete: async (key) => {
        versions.delete(key);
        await values.delete(key);
      },
    };
  }),
  "of many who compare and set at once nobody's change is lost": overRows((rows) => ({
    commit: async (commit) => {
      const stale = commit.changes.find(({ version }) => version !== undefined);
      const seen = stale && (await rows.read(stale.key))?.version;
      await pass();
      if (stale !== undefined && (seen ?? 0) !== stale.version)
        return { kind: "stale", key: stale.key, version: seen ?? 0 };
      return rows.commit({ changes: commit.changes.map((one) => without(one, "version")) });
    },
  })),
  "a key that is none is refused, and VALUE_KEY_LENGTH_MAX characters are kept": changed(
    ({ get }) => ({ get: async (key) => (key === "a b" ? undefined : get(key)) }),
  ),
  "a value that is no JSON, or too large, is refused, and VALUE_BYTES_MAX bytes are kept": changed(
    ({ set }) => ({ set: (key, value) => set(key, value ?? null) }),
  ),
  "another tenant sees nothing of it, and changes nothing": () => {
    const values = new InMemoryVSL();
    return { values, other: values, stranger: values };
  },
};

const brokenChanges: Broken = {
  "a transaction makes all of its changes or none": changed(({ transact }) => ({
    transact: async (changes) => {
      let last = await transact(changes.slice(0, 1));
      for (const change of changes.slice(1)) last = await transact([change]);
      return last;
    },
  })),
  "transactions of the same keys in any order all end": changed(({ transact }) => ({
    transact: async (changes) =>
      changes[0]?.key === "d" ? { kind: "stale", key: "d", version: 0 } : transact(changes),
  })),
  "a transaction of none, of too many or of one key twice is refused": changed(({ transact }) => ({
    transact: async (changes) =>
      changes.length === 0 ? { kind: "done", version: 1 } : transact(changes),
  })),
  "a snapshot is of one moment": overRows((rows) => ({
    readAll: async (prefix) => {
      const found: { key: string; body: string }[] = [];
      for (const key of await rows.list(prefix, "", 100)) {
        const row = await rows.read(key);
        if (row !== undefined) found.push(row);
        await pass();
      }
      return found;
    },
    commit: async (commit) => {
      await pass();
      return rows.commit(commit);
    },
  })),
  "a snapshot is restored whole, and what has come under its prefix goes": overRows(
    ({ commit }) => ({ commit: ({ changes }) => commit({ changes }) }),
  ),
  "a snapshot of SNAPSHOT_KEYS_MAX keys is made and restored, and a larger one refused": overRows(
    (rows) => ({
      readAll: async (prefix) => {
        const keys = await rows.list(prefix, "", 100_000);
        return keys.map((key) => ({ key, body: "1" }));
      },
    }),
  ),
  "a snapshot that is too large in bytes is refused": overRows((rows) => ({
    readAll: async (prefix) => {
      const keys = await rows.list(prefix, "", 100_000);
      return keys.map((key) => ({ key, body: "1" }));
    },
  })),
  "entries of a log have numbers without a gap, whoever appends": overRows((rows) => {
    let last = 0;
    return {
      append: async (log, body) => {
        const number = last + 1;
        await pass();
        last = number;
        await rows.append(log, body);
        return number;
      },
    };
  }),
  "a log is read from a number on, at most LOG_ENTRIES_READ_MAX at once": overRows(
    ({ readLog }) => ({ readLog: (log, from) => readLog(log, from, 100_000) }),
  ),
  "an entry is kept as it is, and one that is no JSON or too large is refused": changed(
    ({ append }) => ({ append: (log, entry) => append(log, entry ?? null) }),
  ),
};

test("the contract finds values that do not keep it", async () => {
  const broken = { ...brokenValues, ...brokenChanges };
  expect(await findMissed(valueStateContract, broken)).toEqual([]);
});

test("what no store can do is refused with its code, before any is asked", async () => {
  const asked: string[] = [];
  const note = (name: string) => async () => {
    asked.push(name);
    throw new Error("this store must not be asked");
  };
  const rows = { read: note("read"), list: note("list"), readAll: note("readAll") };
  const values = bindValues({
    ...{ ...rows, commit: note("commit"), append: note("append"), readLog: note("readLog") },
  });
  const megabyte = "v".repeat(1_000_000);
  const sets = (count: number, value: string): ValueChange[] =>
    Array.from({ length: count }, (_, at) => ({ kind: "set", key: `k${at}`, value }));
  const refusals: readonly [string, () => Promise<unknown>][] = [
    ["VALUE_KEY_INVALID", () => values.get("a b")],
    ["VALUE_INVALID", () => values.append("log", "v".repeat(LOG_ENTRY_BYTES_MAX - 1))],
    ["VALUE_CHANGES_INVALID", () => values.transact(sets(VALUE_CHANGES_MAX + 1, "v"))],
    [
      "VALUE_CHANGES_INVALID",
      () => values.transact(sets(Math.ceil(VALUE_CHANGES_BYTES_MAX / 1_000_000), megabyte)),
    ],
    [
      "VALUE_CHANGES_INVALID",
      () => {
        const count = Math.ceil(SNAPSHOT_BYTES_MAX / 1_000_000);
        const made = Array.from({ length: count }, (_, at) => ({ key: `k${at}`, value: megabyte }));
        return values.restore({ prefix: "", values: made });
      },
    ],
    [
      "VALUE_SNAPSHOT_TOO_LARGE",
      () => {
        const made = Array.from({ length: SNAPSHOT_KEYS_MAX + 1 }, () => ({ key: "k", value: 1 }));
        return values.restore({ prefix: "", values: made });
      },
    ],
  ];
  for (const [code, ask] of refusals)
    await expect(ask()).rejects.toMatchObject({ code, retry: "never" });
  expect(asked).toEqual([]);
});
