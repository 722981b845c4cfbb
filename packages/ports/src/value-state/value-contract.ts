import { strict as assert } from "node:assert";
import { type JsonValue, VALUE_BYTES_MAX } from "@turnseal/protocol";
import {
  VALUE_KEY_LENGTH_MAX,
  VALUE_LIST_MAX,
  type ValueStateLayer,
  VERSION_NONE,
} from "./value-state.ts";

/** One tenant's values twice, as two processes have them, and those of another tenant. */
export interface ValueStateSubject {
  readonly values: ValueStateLayer;
  readonly other: ValueStateLayer;
  readonly stranger: ValueStateLayer;
}

export type ValueSentences = Readonly<
  Record<string, (subject: ValueStateSubject) => Promise<void>>
>;

/** Many keys, in as few transactions as there can be. */
export async function fill(values: ValueStateLayer, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += 100)
    await values.transact(
      keys.slice(at, at + 100).map((key) => ({ kind: "set", key, value: key })),
    );
}

const WRITERS = 16;
const ADDS = 4;

export const valueSentences: ValueSentences = {
  "what was set is read at once, by everybody, and nothing else is": async (subject) => {
    const { values, other } = subject;
    await values.set("plan/1", { title: "one" });
    assert.deepEqual(await other.get("plan/1"), { title: "one" });
    await other.set("plan/1", { title: "two" });
    assert.deepEqual(await values.get("plan/1"), { title: "two" });
    for (const key of ["plan/2", "plan", "plan/1/", "PLAN/1"])
      assert.equal(await values.get(key), undefined);
  },
  "a value is kept as it is, and as a copy": async ({ values, other }) => {
    const kept: JsonValue[] = [
      ...[null, false, 0, "", "ž\u0000\u2028😀", [], {}, 1.5e300, [[["deep"]]]],
      { b: 1, a: { c: [1, "2"] } },
      { constructor: 2, toString: null },
    ];
    for (const [index, value] of kept.entries()) {
      await values.set(`k${index}`, value);
      assert.equal(JSON.stringify(await other.get(`k${index}`)), JSON.stringify(value));
    }
    const mine = { list: [1] };
    await values.set("mine", mine);
    mine.list.push(2);
    const read = (await values.get("mine")) as typeof mine;
    read.list.push(3);
    assert.deepEqual(await values.get("mine"), { list: [1] });
  },
  "what is deleted is gone, also when it was not there": async ({ values, other }) => {
    await values.set("a", 1);
    await values.set("ab", 2);
    await other.delete("a");
    await values.delete("a");
    assert.equal(await values.get("a"), undefined);
    assert.deepEqual(await values.list(""), ["ab"]);
  },
  "keys are listed in order, by their beginning, after one": async ({ values }) => {
    await fill(values, ["b/2", "a~", "b/1", "B/1", "b", "b!", "a"]);
    assert.deepEqual(await values.list(""), ["B/1", "a", "a~", "b", "b!", "b/1", "b/2"]);
    assert.deepEqual(await values.list("b/"), ["b/1", "b/2"]);
    assert.deepEqual(await values.list("b", "b!"), ["b/1", "b/2"]);
    assert.deepEqual(await values.list("c"), []);
    // A store's wildcard is a plain character here.
    await fill(values, ["x*1", "x%1", "x_1", "x[1]", "x1"]);
    for (const prefix of ["x*", "x%", "x_", "x["])
      assert.equal((await values.list(prefix)).length, 1);
  },
  "a list has at most VALUE_LIST_MAX keys, and the next goes on after them": async ({ values }) => {
    const keys = Array.from({ length: VALUE_LIST_MAX + 2 }, (_, at) => `k${10_000 + at}`);
    await fill(values, keys);
    const first = await values.list("k");
    assert.equal(first.length, VALUE_LIST_MAX);
    assert.deepEqual([...first, ...(await values.list("k", first.at(-1)))], keys);
  },
  "a value is compared and set by the version that was seen": async ({ values, other }) => {
    const made = await values.compareAndSet("a", VERSION_NONE, 1);
    assert.equal(made.kind, "done");
    const stale = await other.compareAndSet("a", VERSION_NONE, 2);
    assert.deepEqual(stale, { kind: "stale", key: "a", version: made.version });
    assert.deepEqual(await other.read("a"), { value: 1, version: made.version });
    const next = await other.compareAndSet("a", made.version, 3);
    assert.ok(next.kind === "done" && next.version > made.version);
    assert.equal((await values.compareAndSet("a", made.version, 4)).kind, "stale");
    assert.equal(await values.get("a"), 3);
    const absent = await values.compareAndSet("b", next.version, 1);
    assert.deepEqual(absent, { kind: "stale", key: "b", version: VERSION_NONE });
  },
  "a version does not come again, also where a key was deleted meanwhile": async (subject) => {
    const { values, other } = subject;
    await values.set("a", 1);
    const seen = (await values.read("a"))?.version ?? -1;
    await other.delete("a");
    await other.set("a", 1);
    assert.ok(((await values.read("a"))?.version ?? -1) > seen);
    assert.equal((await values.compareAndSet("a", seen, 2)).kind, "stale");
    await other.set("a", 1);
    assert.equal(await values.get("a"), 1);
  },
  "of many who compare and set at once nobody's change is lost": async ({ values, other }) => {
    const add = async (by: ValueStateLayer): Promise<void> => {
      for (;;) {
        const { value = 0, version = VERSION_NONE } = (await by.read("sum")) ?? {};
        if ((await by.compareAndSet("sum", version, Number(value) + 1)).kind === "done") return;
      }
    };
    const writers = Array.from({ length: WRITERS }, async (_, index) => {
      for (let count = 0; count < ADDS; count++) await add(index % 2 === 0 ? values : other);
    });
    await Promise.all(writers);
    assert.equal(await values.get("sum"), WRITERS * ADDS);
  },
  "a key that is none is refused, and VALUE_KEY_LENGTH_MAX characters are kept": async ({
    values,
  }) => {
    const longest = "k".repeat(VALUE_KEY_LENGTH_MAX);
    await values.set(longest, 1);
    assert.deepEqual(await values.list(longest), [longest]);
    for (const key of ["", "a b", "a\n", "ä", "\0", "\u007f", `${longest}k`]) {
      const refused = { code: "VALUE_KEY_INVALID" };
      await assert.rejects(() => values.set(key, 1), refused);
      await assert.rejects(() => values.get(key), refused);
      await assert.rejects(() => values.append(key, 1), refused);
      if (key !== "") await assert.rejects(() => values.list(key), refused);
    }
    assert.deepEqual(await values.list(""), [longest]);
  },
  "a value that is no JSON, or too large, is refused, and VALUE_BYTES_MAX bytes are kept": async (
    subject,
  ) => {
    const { values, other } = subject;
    const largest = "v".repeat(VALUE_BYTES_MAX - 2);
    await values.set("large", largest);
    assert.ok((await other.get("large")) === largest);
    const circle: unknown[] = [];
    circle.push(circle);
    const wrong = [
      undefined,
      Number.NaN,
      1n,
      () => 1,
      new Date(0),
      circle,
      `${largest}v`,
      JSON.parse('{"__proto__":1}'),
    ];
    for (const value of wrong)
      await assert.rejects(() => values.set("wrong", value as JsonValue), {
        code: "VALUE_INVALID",
      });
    assert.deepEqual(await values.list(""), ["large"]);
  },
  "another tenant sees nothing of it, and changes nothing": async ({ values, stranger }) => {
    await values.set("a", "mine");
    await values.append("log", "mine");
    assert.equal(await stranger.get("a"), undefined);
    assert.deepEqual(await stranger.list(""), []);
    assert.deepEqual((await stranger.snapshot("")).values, []);
    assert.deepEqual(await stranger.readLog("log", 1), []);
    assert.equal(await stranger.append("log", "theirs"), 1);
    await stranger.set("a", "theirs");
    await stranger.restore({ prefix: "", values: [] });
    assert.equal(await values.get("a"), "mine");
    assert.deepEqual(await values.readLog("log", 1), [{ number: 1, entry: "mine" }]);
  },
};
