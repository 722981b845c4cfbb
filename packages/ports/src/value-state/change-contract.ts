import { strict as assert } from "node:assert";
import type { JsonValue } from "@turnseal/protocol";
import { fill, type ValueSentences } from "./value-contract.ts";
import {
  LOG_ENTRIES_READ_MAX,
  LOG_ENTRY_BYTES_MAX,
  SNAPSHOT_KEYS_MAX,
  VALUE_CHANGES_MAX,
  type ValueChange,
  VERSION_NONE,
} from "./value-state.ts";

const sets = (count: number): ValueChange[] =>
  Array.from({ length: count }, (_, at) => ({ kind: "set", key: `k${at}`, value: at }));

export const changeSentences: ValueSentences = {
  "a transaction makes all of its changes or none": async ({ values, other }) => {
    await values.set("a", 1);
    const seen = (await values.read("a"))?.version ?? -1;
    const changes: ValueChange[] = [
      { kind: "set", key: "a", version: seen, value: 2 },
      { kind: "set", key: "b", version: VERSION_NONE, value: 2 },
      { kind: "delete", key: "c" },
    ];
    await values.set("c", 1);
    const done = await other.transact(changes);
    assert.equal(done.kind, "done");
    assert.deepEqual((await values.snapshot("")).values, [
      { key: "a", value: 2 },
      { key: "b", value: 2 },
    ]);
    assert.equal((await values.read("a"))?.version, (await values.read("b"))?.version);
    const again = await values.transact([{ kind: "set", key: "d", value: 1 }, ...changes]);
    assert.deepEqual(again, { kind: "stale", key: "a", version: done.version });
    assert.deepEqual(await values.list(""), ["a", "b"]);
  },
  "transactions of the same keys in any order all end": async ({ values, other }) => {
    const keys = ["a", "b", "c", "d"];
    const write = async (by: typeof values, order: readonly string[], value: number) => {
      const answer = await by.transact(order.map((key) => ({ kind: "set", key, value })));
      assert.equal(answer.kind, "done");
    };
    await Promise.all(
      Array.from({ length: 24 }, (_, at) =>
        write(at % 2 === 0 ? values : other, at % 3 === 0 ? keys : [...keys].reverse(), at),
      ),
    );
    const found = (await values.snapshot("")).values;
    assert.equal(found.length, 4);
    assert.equal(new Set(found.map(({ value }) => value)).size, 1);
  },
  "a transaction of none, of too many or of one key twice is refused": async ({ values }) => {
    const refused = { code: "VALUE_CHANGES_INVALID" };
    await values.transact(sets(VALUE_CHANGES_MAX));
    const twice = [...sets(1), { kind: "delete", key: "k0" }] as const;
    const halves = sets(9).map((change) => ({ ...change, value: "v".repeat(1_000_000) }));
    const fraction: ValueChange = { kind: "delete", key: "k0", version: 0.5 };
    for (const changes of [[], sets(VALUE_CHANGES_MAX + 1), twice, halves, [fraction]])
      await assert.rejects(() => values.transact(changes), refused);
    assert.deepEqual(await values.get("k0"), 0);
  },
  "a snapshot is of one moment": async ({ values, other }) => {
    await values.transact(sets(8).map((change) => ({ ...change, value: -1 })));
    const state = { isOver: false };
    const write = async (): Promise<void> => {
      for (let value = 0; value < 30; value++)
        await values.transact(sets(8).map((change) => ({ ...change, value })));
      state.isOver = true;
    };
    const written = write();
    while (!state.isOver) {
      const { values: found } = await other.snapshot("k");
      assert.equal(found.length, 8);
      assert.equal(new Set(found.map(({ value }) => value)).size, 1);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await written;
  },
  "a snapshot is restored whole, and what has come under its prefix goes": async (subject) => {
    const { values, other } = subject;
    await fill(values, ["p/1", "p/2", "q", "o"]);
    const seen = await values.snapshot("p/");
    await values.set("p/1", "changed");
    await values.delete("p/2");
    await fill(values, ["p/3", "q/1"]);
    await other.restore(seen);
    assert.deepEqual(await values.snapshot("p/"), seen);
    assert.deepEqual(await values.list(""), ["o", "p/1", "p/2", "q", "q/1"]);
    const strange = { prefix: "p/", values: [{ key: "q", value: 1 }] };
    await assert.rejects(() => values.restore(strange), { code: "VALUE_CHANGES_INVALID" });
    await values.restore({ prefix: "p/", values: [] });
    assert.deepEqual(await values.list(""), ["o", "q", "q/1"]);
  },
  "a snapshot of SNAPSHOT_KEYS_MAX keys is made and restored, and a larger one refused": async (
    subject,
  ) => {
    const { values } = subject;
    const keys = Array.from({ length: SNAPSHOT_KEYS_MAX }, (_, at) => `k${100_000 + at}`);
    await values.restore({ prefix: "", values: keys.map((key) => ({ key, value: key })) });
    assert.equal((await values.snapshot("")).values.length, SNAPSHOT_KEYS_MAX);
    await values.set("one-more", 1);
    const refused = { code: "VALUE_SNAPSHOT_TOO_LARGE" };
    await assert.rejects(() => values.snapshot(""), refused);
    const tooMany = [...keys, "one-more"].map((key) => ({ key, value: 1 }));
    await assert.rejects(() => values.restore({ prefix: "", values: tooMany }), refused);
    assert.equal(await values.get(keys[0] ?? ""), keys[0]);
  },
  "a snapshot that is too large in bytes is refused": async ({ values }) => {
    for (let at = 0; at < 17; at++) await values.set(`k${at}`, "v".repeat(1_000_000));
    await assert.rejects(() => values.snapshot("k"), { code: "VALUE_SNAPSHOT_TOO_LARGE" });
    assert.equal((await values.snapshot("k1")).values.length, 8);
  },
  "entries of a log have numbers without a gap, whoever appends": async ({ values, other }) => {
    const appended = Array.from({ length: 40 }, (_, at) =>
      (at % 2 === 0 ? values : other).append("log", { at }),
    );
    const numbers = await Promise.all(appended);
    const read = await other.readLog("log", 1);
    assert.deepEqual(
      read.map(({ number }) => number),
      Array.from({ length: 40 }, (_, at) => at + 1),
    );
    for (const [at, number] of numbers.entries())
      assert.deepEqual(read[number - 1], { number, entry: { at } });
    assert.deepEqual(await values.readLog("lo", 1), []);
    // Keys and logs are apart.
    assert.equal(await values.get("log"), undefined);
    await values.restore({ prefix: "", values: [] });
    assert.equal((await values.readLog("log", 1)).length, 40);
  },
  "a log is read from a number on, at most LOG_ENTRIES_READ_MAX at once": async ({ values }) => {
    const count = LOG_ENTRIES_READ_MAX + 5;
    for (let at = 1; at <= count; at++) await values.append("log", at);
    assert.equal((await values.readLog("log", 1, 10_000)).length, LOG_ENTRIES_READ_MAX);
    const rest = await values.readLog("log", LOG_ENTRIES_READ_MAX + 1);
    assert.deepEqual(
      rest.map(({ entry }) => entry),
      [1, 2, 3, 4, 5].map((more) => LOG_ENTRIES_READ_MAX + more),
    );
    assert.deepEqual(await values.readLog("log", 3, 1), [{ number: 3, entry: 3 }]);
    assert.deepEqual(await values.readLog("log", count + 1), []);
    assert.deepEqual(await values.readLog("log", 1, 0), []);
  },
  "an entry is kept as it is, and one that is no JSON or too large is refused": async (subject) => {
    const { values } = subject;
    const largest = "v".repeat(LOG_ENTRY_BYTES_MAX - 2);
    const mine = { list: [1] };
    assert.equal(await values.append("log", mine), 1);
    mine.list.push(2);
    assert.equal(await values.append("log", largest), 2);
    for (const entry of [undefined, Number.NaN, `${largest}v`])
      await assert.rejects(() => values.append("log", entry as JsonValue), {
        code: "VALUE_INVALID",
      });
    assert.deepEqual(await values.readLog("log", 1), [
      { number: 1, entry: { list: [1] } },
      { number: 2, entry: largest },
    ]);
  },
};
