/** The grammar of a log: the vectors of the specification, and that each rule is needed. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { LoopEvent } from "../events/event.ts";
import { LOG_EVENT_TYPES } from "../events/event-types.ts";
import { FINDING_CODES } from "../finding-codes.ts";
import { createAcceptor } from "./accept-events.ts";
import { GRAMMAR } from "./grammar.ts";
import type { Grammar, Rule } from "./rule.ts";

interface Vector {
  readonly description: string;
  /** As much of each event as the grammar reads. */
  readonly input: { readonly events: readonly LoopEvent[] };
  readonly expect: { readonly rule: string | null; readonly sequence?: number };
}

const spec = new URL("../../../../spec/", import.meta.url);
const vectors: readonly Vector[] = JSON.parse(
  readFileSync(new URL("vectors/grammar/rules.json", spec), "utf8"),
);

function judge(events: readonly LoopEvent[], grammar: Grammar = GRAMMAR): Vector["expect"] {
  const acceptor = createAcceptor(grammar);
  for (const event of events) {
    const rule = acceptor.accept(event);
    if (rule !== undefined) return { rule: rule.name, sequence: event.sequence };
  }
  return { rule: null };
}

test.each(vectors)("$description", ({ input, expect: expected }) => {
  expect(judge(input.events)).toEqual(expected);
});

/** The vectors whose findings change when one rule is replaced by another. */
function listChanged(rule: Rule, other: Rule): readonly Vector[] {
  const rules = GRAMMAR.rules.map((each) => (each === rule ? other : each));
  return vectors.filter(
    ({ input, expect: expected }) =>
      JSON.stringify(judge(input.events, { ...GRAMMAR, rules })) !== JSON.stringify(expected),
  );
}

function without(rule: Rule, names: readonly string[]): Rule {
  const kept = Object.entries(rule).filter(([name]) => !names.includes(name));
  return Object.fromEntries(kept) as unknown as Rule;
}

const DEMANDS = ["from", "not", "same", "next", "least", "below", "levels", "only"];
const demanding = GRAMMAR.rules.filter((rule) => DEMANDS.some((name) => name in rule));
const moving = GRAMMAR.rules.filter(({ to, keep }) => to !== undefined || keep !== undefined);

describe("a rule that demands nothing any more", () => {
  test.each(demanding.map((rule) => [rule.name, rule] as const))(
    "%s: its own vectors fail, and no other",
    (name, rule) => {
      const changed = listChanged(rule, without(rule, DEMANDS));
      expect(changed.length).toBeGreaterThan(0);
      expect(changed).toEqual(vectors.filter(({ expect: { rule: broken } }) => broken === name));
    },
  );
});

describe("a rule that changes nothing any more", () => {
  test.each(moving.map((rule) => [rule.name, rule] as const))("%s: a vector fails", (_, rule) => {
    for (const name of ["to", "keep"])
      if (name in rule) expect(listChanged(rule, without(rule, [name])).length).toBeGreaterThan(0);
  });
});

describe("the table", () => {
  test("is the one of the specification", () => {
    const copy = new URL("grammar.json", import.meta.url);
    const read = (url: URL): string => readFileSync(url, "utf8");
    expect(read(copy)).toBe(read(new URL("grammar.json", spec)));
  });

  test("has one line for each rule, and at most 400", () => {
    const lines = readFileSync(new URL("grammar.json", spec), "utf8").trimEnd().split("\n");
    expect(lines.length).toBe(GRAMMAR.rules.length + 5);
    expect(lines.length).toBeLessThanOrEqual(400);
  });

  test("names events, things and codes that there are", () => {
    const types = [...LOG_EVENT_TYPES, "vendor"];
    const things = [...GRAMMAR.things.run, ...GRAMMAR.things.turn];
    for (const { on, but = [], of, code } of GRAMMAR.rules) {
      expect([...(on === "*" ? [] : on), ...but].filter((type) => !types.includes(type))).toEqual(
        [],
      );
      expect(of === undefined || things.includes(of)).toBe(true);
      expect(FINDING_CODES).toContain(code);
    }
    expect(new Set(GRAMMAR.rules.map(({ name }) => name)).size).toBe(GRAMMAR.rules.length);
  });

  test("says something of every type of event by name", () => {
    const named = new Set(GRAMMAR.rules.flatMap(({ on }) => (on === "*" ? [] : on)));
    // Of these it says only that they stand in a run, a turn or a call that is at work.
    expect(LOG_EVENT_TYPES.filter((type) => !named.has(type))).toEqual([
      ...["run.blocked", "turn.waiting", "drift.reconciled", "artifact.adopted", "log"],
    ]);
  });
});
