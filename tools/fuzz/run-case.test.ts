import { inspect } from "node:util";
import { createRegistry } from "@turnseal/kernel";
import { expect, test } from "vitest";
import { hostileSchemas } from "./hostile-schemas.ts";
import { mutations } from "./mutations.ts";
import { createRandom } from "./random.ts";
import { type CaseReport, runCase } from "./run-case.ts";
import { createTally } from "./tally.ts";
import { companions, documents } from "./valid-documents.ts";
import { watchPrototypes } from "./watch-prototypes.ts";

async function runCases(seed: number, count: number): Promise<CaseReport[]> {
  const reports: CaseReport[] = [];
  for (let index = 0; index < count; index++) reports.push(await runCase(seed, index));
  return reports;
}

test("a case is the same whenever it is run, and another one with another seed", async () => {
  const outcomesOf = async (seed: number) =>
    (await runCases(seed, 60)).map(({ kind, outcomes }) => `${kind}: ${outcomes.join()}`);
  expect(await outcomesOf(1)).toEqual(await outcomesOf(1));
  expect(await outcomesOf(1)).not.toEqual(await outcomesOf(2));
});

test("every way of breaking something comes up, and nothing is found", async () => {
  const reports = await runCases(7, 300);
  expect(reports.flatMap(({ problems }) => problems)).toEqual([]);
  const kinds = new Set(reports.map(({ kind }) => kind.replace(/^(document|input): /, "")));
  expect([...Object.keys(mutations)].filter((name) => !kinds.has(name))).toEqual([]);
});

test("what is broken is valid to begin with", () => {
  const registry = createRegistry();
  for (const loop of [...companions, ...documents]) {
    expect(registry.register(loop).kind, loop.id).toBe("registered");
  }
  expect(registry.checkReferences()).toEqual([]);
});

test("each mutation changes what it is given", () => {
  for (const [name, mutate] of Object.entries(mutations)) {
    const changed = Array.from({ length: 20 }, (_, index) => {
      const value = { a: { b: [1, "x"] }, inputSchema: {} };
      const before = inspect(value);
      mutate(value, createRandom(`${name}/${index}`));
      return inspect(value) !== before;
    });
    expect(changed.filter(Boolean).length, name).toBeGreaterThan(10);
  }
});

test("a hostile schema is made anew each time", () => {
  for (const create of hostileSchemas) expect(create()).not.toBe(create());
});

test("a prototype that gains a key is noticed", () => {
  const findChanges = watchPrototypes();
  expect(findChanges()).toEqual([]);
  Object.defineProperty(Object.prototype, "polluted", { value: 1, configurable: true });
  const changes = findChanges();
  Reflect.deleteProperty(Object.prototype, "polluted");
  expect(changes).toEqual([expect.stringContaining("polluted")]);
  expect(findChanges()).toEqual([]);
});

test("outcomes are counted by kind", () => {
  const tally = createTally();
  tally.add("b", ["call ok", "call ok"]);
  tally.add("a", ["refused"]);
  tally.add("b", ["call ok"]);
  expect(tally.counts()).toEqual({ b: { "call ok": 3 }, a: { refused: 1 } });
  expect(tally.render().map((line) => line.trim().replace(/ +/g, " "))).toEqual([
    "a (1)",
    "refused 1",
    "b (2)",
    "call ok 3",
  ]);
});
