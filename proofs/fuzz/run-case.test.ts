import { inspect } from "node:util";
import { createRegistry } from "@turnseal/kernel";
import { verifyBundle } from "@turnseal/protocol/receipts";
import { expect, test } from "vitest";
import { type CaseReport, createDraft } from "./case-report.ts";
import { breakCommand, commandKinds, openStage } from "./entries/break-commands.ts";
import { hostileSchemas } from "./hostile-schemas.ts";
import { mutations } from "./mutations.ts";
import { createRandom, type Random } from "./random.ts";
import { type EntryName, entryNames, runCase } from "./run-case.ts";
import { chainAgain, readStatement, sealedRuns, signAgain, trustedKeys } from "./sealed-runs.ts";
import { createTally } from "./tally.ts";
import { companions, documents } from "./valid-documents.ts";
import { watchPrototypes } from "./watch-prototypes.ts";

async function runCases(seed: number, count: number, entry?: EntryName): Promise<CaseReport[]> {
  const reports: CaseReport[] = [];
  for (let index = 0; index < count; index++) reports.push(await runCase(seed, index, entry));
  return reports;
}

test("a case is the same whenever it is run, and another one with another seed", async () => {
  const subjectsOf = async (seed: number) =>
    (await runCases(seed, 60)).map(({ entry, kind, subjects }) => inspect([entry, kind, subjects]));
  expect(await subjectsOf(1)).toEqual(await subjectsOf(1));
  expect(await subjectsOf(1)).not.toEqual(await subjectsOf(2));
});

test("every way of breaking something comes up, and nothing is found", async () => {
  const reports = await runCases(7, 300, "loops");
  expect(reports.flatMap(({ problems }) => problems)).toEqual([]);
  const kinds = new Set(reports.map(({ kind }) => kind.replace(/^(document|input): /, "")));
  expect([...Object.keys(mutations)].filter((name) => !kinds.has(name))).toEqual([]);
});

test("every entry has its share of the cases", async () => {
  const entries = (await runCases(3, 100)).map(({ entry }) => entry);
  const named = ["loops", "flows", "workflows", "events", "receipts", "protocol"];
  expect(entryNames).toEqual([...named, "commands", "advance"]);
  for (const name of entryNames) expect(entries, name).toContain(name);
});

test.each(entryNames)(
  "%s: some cases get through, others are refused, none fails",
  async (name) => {
    const reports = await runCases(11, 60, name);
    expect(reports.flatMap(({ problems }) => problems)).toEqual([]);
    const accepted = reports.filter(({ isAccepted }) => isAccepted).length;
    expect(accepted).toBeGreaterThan(0);
    expect(accepted).toBeLessThan(reports.length);
  },
);

test("what is broken is valid to begin with", () => {
  const registry = createRegistry();
  for (const loop of [...companions, ...documents]) {
    expect(registry.register(loop).kind, loop.id).toBe("registered");
  }
  expect(registry.checkReferences()).toEqual([]);
});

// A command that nobody could use would refuse every case, and never fail one.
test("each command is done when nothing in it is broken", async () => {
  const first = { next: () => 0.05, below: () => 0, pick: <Item>([item]: readonly Item[]) => item };
  const stage = await openStage();
  const codes: Record<string, readonly string[]> = {};
  for (const kind of commandKinds) {
    const draft = { ...createDraft("commands"), kind };
    await breakCommand(stage, first as Random, draft);
    codes[kind] = draft.outcomes;
  }
  // The store does not trust the key of the vectors.
  const done = Object.fromEntries(commandKinds.map((kind) => [kind, ["0"]]));
  expect(codes).toEqual({ ...done, "verify -": ["3"] });
});

test("what is broken of runs verifies to begin with", async () => {
  for (const { bundle } of sealedRuns)
    expect(await verifyBundle(bundle, { keys: trustedKeys })).toMatchObject({ valid: true });
  const receipt = sealedRuns[0]?.bundle.receipts[0] ?? "";
  expect(signAgain(readStatement(receipt))).toBe(receipt);
  const events = sealedRuns[0]?.bundle.events ?? [];
  expect(chainAgain(events)).toEqual(events);
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

test("outcomes are counted by kind, cases by entry", () => {
  const tally = createTally();
  const report = { entry: "x", isAccepted: true, slowestMs: 1, problems: [] };
  tally.add({ ...report, kind: "b", outcomes: ["call ok", "call ok"], slowestMs: 3 });
  tally.add({ ...report, kind: "a", outcomes: ["refused"], isAccepted: false });
  tally.add({ ...report, kind: "b", outcomes: ["call ok"], problems: ["it hangs"] });
  expect(tally.counts()).toEqual({ b: { "call ok": 3 }, a: { refused: 1 } });
  const squeeze = (lines: string[]) => lines.map((line) => line.trim().replace(/ +/g, " "));
  expect(squeeze(tally.renderKinds())).toEqual(["a (1)", "refused 1", "b (2)", "call ok 3"]);
  expect(tally.entries()).toEqual({
    x: { cases: 3, accepted: 1, refused: 1, failed: 1, slowestMs: 3 },
  });
  expect(squeeze(tally.renderEntries())).toEqual([
    "entry cases accepted refused failed slowest ms",
    "x 3 1 1 1 3",
  ]);
});
