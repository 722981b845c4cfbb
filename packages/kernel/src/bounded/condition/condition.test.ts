import { readFileSync } from "node:fs";
import { evaluate } from "@marcbachmann/cel-js";
import {
  CONDITION_FAILURES,
  CONDITION_LENGTH_MAX,
  type ConditionFailure,
  type JsonValue,
  POLICY_FACTS,
} from "@turnseal/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cpuMs } from "../../cpu-ms.test.data.ts";
import { sampleFacts } from "../../policy/sample-facts.test.data.ts";
import { CONDITION_CACHE_MAX, compileCondition } from "./condition.ts";
import {
  EXPRESSION_DEPTH_MAX,
  EXPRESSION_LIST_MAX,
  EXPRESSION_NODES_MAX,
  EXPRESSION_STEPS_MAX,
} from "./expression.ts";
import { UNITS_PER_STEP } from "./spend-on-text.ts";

interface Vector {
  readonly description: string;
  readonly input: { readonly when: string; readonly args: JsonValue };
  readonly expect: { holds?: boolean; failure?: string; refused?: true };
}

const spec = new URL("../../../../../spec/", import.meta.url);
const vectors = JSON.parse(
  readFileSync(new URL("vectors/policy/condition.json", spec), "utf8"),
) as Vector[];

function answer(when: string, args: JsonValue): Vector["expect"] {
  const compiled = compileCondition(when);
  if (compiled.kind === "refused") return { refused: true };
  const holds = compiled.condition(sampleFacts(args));
  return typeof holds === "boolean" ? { holds } : { failure: holds };
}

describe("spec/vectors/policy/condition.json", () => {
  test.each(vectors.map((vector) => [vector.description, vector] as const))("%s", (_, vector) => {
    expect(answer(vector.input.when, vector.input.args)).toEqual(vector.expect);
  });
});

test("spec/policy.md lists every fact and failure", () => {
  const text = readFileSync(new URL("policy.md", spec), "utf8");
  for (const word of [...POLICY_FACTS, ...CONDITION_FAILURES])
    expect(text).toContain(`\`${word}\``);
});

describe("what is too large is refused when it is read", () => {
  test("CONDITION_LENGTH_MAX", () => {
    const padded = "true".padEnd(CONDITION_LENGTH_MAX);
    expect(answer(padded, {})).toEqual({ holds: true });
    expect(answer(`${padded} `, {})).toEqual({ refused: true });
  });

  test("EXPRESSION_NODES_MAX", () => {
    // Each list is its items and four parts more, and one joins the two.
    const list = (items: number) => `[${Array(items).fill("1").join()}].size()==1`;
    const lists = (nodes: number) => `${list(246)}||${list(nodes - 255)}`;
    expect(answer(lists(EXPRESSION_NODES_MAX), {})).toEqual({ holds: false });
    expect(answer(lists(EXPRESSION_NODES_MAX + 1), {})).toEqual({ refused: true });
  });

  test("EXPRESSION_DEPTH_MAX", () => {
    const nested = (depth: number) => `${"(".repeat(depth - 1)}true${")".repeat(depth - 1)}`;
    expect(answer(nested(EXPRESSION_DEPTH_MAX), {})).toEqual({ holds: true });
    expect(answer(nested(EXPRESSION_DEPTH_MAX + 1), {})).toEqual({ refused: true });
  });

  test("EXPRESSION_LIST_MAX", () => {
    const list = (size: number) => `1 in [${Array(size).fill("1").join()}]`;
    expect(answer(list(EXPRESSION_LIST_MAX), {})).toEqual({ holds: true });
    expect(answer(list(EXPRESSION_LIST_MAX + 1), {})).toEqual({ refused: true });
  });

  test.each([
    ["brackets that never close", "(".repeat(CONDITION_LENGTH_MAX)],
    ["negations without end", `${"!".repeat(CONDITION_LENGTH_MAX - 4)}true`],
    ["fields without end", `args${".a".repeat(500)} == 1`],
    ["lists in lists", `${"[".repeat(100)}1${"]".repeat(100)} == 1`],
    ["a control character", "true \u0000"],
  ])("%s", (_, when) => {
    expect(answer(when, {})).toEqual({ refused: true });
  });
});

const MIB = 1024 * 1024;

describe("what arguments make of a condition is bounded", () => {
  const numbers = Array.from({ length: 1_000 }, (_, index) => index);
  const long = "a".repeat(MIB);
  // Left to itself, the search of the host takes seconds for these, and minutes for a mebibyte.
  const worst = "a".repeat(MIB / 8);
  const half = "a".repeat(MIB / 32);
  test.each<[string, string, JsonValue]>([
    [
      "lists in lists",
      "args.l.all(a, args.l.all(b, args.l.all(c, a + b + c >= 0)))",
      { l: numbers },
    ],
    ["a list that is searched for each item", "args.l.all(a, a in args.l)", { l: numbers }],
    [
      "a text that is searched for a text",
      "args.a.contains(args.b)",
      { a: worst, b: `${half}b${half}` },
    ],
    [
      "a text that is searched often",
      "args.l.all(a, !args.a.contains('b'))",
      { a: long, l: numbers },
    ],
    ["texts that grow", "args.l.all(a, (args.a + args.a + args.a) != '')", { a: long, l: numbers }],
    ["lists that grow", "args.l.all(a, (args.l + args.l) != [])", { l: numbers }],
    ["a pattern over and over", "args.l.all(a, !args.a.matches('b{3}c'))", { a: long, l: numbers }],
    ["a text that is counted often", "args.l.all(a, size(args.a) > 0)", { a: long, l: numbers }],
    [
      "objects that are compared often",
      "args.l.all(a, args.o != args.p)",
      {
        l: numbers,
        o: Object.fromEntries(numbers.map((index) => [`k${index}`, index])),
        p: Object.fromEntries(numbers.map((index) => [`k${index}`, -index - 1])),
      },
    ],
    [
      "an answer beside what ran out",
      "args.l.exists(a, args.l.all(b, !(-1 in args.l))) || true",
      { l: numbers },
    ],
  ])("%s", (_, when, args) => {
    const compiled = compileCondition(when);
    if (compiled.kind === "refused") throw new Error(compiled.reason);
    let holds: boolean | ConditionFailure = false;
    const ms = cpuMs(() => {
      holds = compiled.condition(sampleFacts(args));
    });
    expect(holds).toBe("steps-exhausted");
    expect(ms).toBeLessThan(1_000);
  });

  test("an answer that was made without the steps for it is none", () => {
    const many = Object.fromEntries(Array.from({ length: 260_000 }, (_, index) => [index, 0]));
    expect(answer("1 > size(args)", many)).toEqual({ failure: "steps-exhausted" });
  });

  test("EXPRESSION_STEPS_MAX steps are there, one more is not", () => {
    // The call and its two parts are three steps; the search costs the rest.
    const units = (EXPRESSION_STEPS_MAX - 4) * UNITS_PER_STEP;
    const when = "args.a.contains('b')";
    expect(answer(when, { a: "a".repeat(units) })).toEqual({ holds: false });
    expect(answer(when, { a: "a".repeat(units + UNITS_PER_STEP) })).toEqual({
      failure: "steps-exhausted",
    });
  });

  test("a large file whose path is looked at is no trouble", () => {
    const args = { path: "src/a.ts", content: "x".repeat(MIB) };
    const when = "args.path.startsWith('src/') && !args.content.contains('BEGIN KEY')";
    expect(answer(when, args)).toEqual({ holds: true });
  });
});

describe("nothing but facts is reached", () => {
  test.each([
    "args.constructor.constructor('return 1')() == 1",
    "args.__proto__ == null",
    "__proto__ == null",
    "constructor == null",
    "this == null",
    "globalThis == null",
    "google.protobuf.Duration == null",
    "cel == null",
    "toString() == ''",
    "args.valueOf() == 1",
    "hasOwnProperty == 1",
  ])("%s", (when) => {
    expect(answer(when, {})).not.toHaveProperty("holds");
  });

  test.each(["constructor", "toString", "hasOwnProperty", "valueOf"])(
    "a fact is read when the arguments have a field %s of their own, and only then",
    (name) => {
      expect(answer(`args['${name}'] == 1`, { [name]: 1 })).toEqual({ holds: true });
      expect(answer(`has(args.${name})`, {})).toEqual({ holds: false });
    },
  );
});

test("a fact that is not given is missing, and not null", () => {
  const compiled = compileCondition("spend == null");
  expect(compiled.kind === "compiled" && compiled.condition({ args: {} })).toBe("field-missing");
});

test("CONDITION_CACHE_MAX conditions are kept", () => {
  const first = compileCondition("args.first == 1");
  expect(compileCondition("args.first == 1")).toBe(first);
  for (let index = 0; index < CONDITION_CACHE_MAX; index++) compileCondition(`args.n == ${index}`);
  expect(compileCondition("args.first == 1")).not.toBe(first);
});

test("a condition does not change what it looks at", () => {
  const args = Object.freeze({ l: Object.freeze([1, 2, 3]) });
  expect(answer("args.l.map(a, a * 2).filter(a, a > 2) + [1] == [4, 6, 1]", args)).toEqual({
    holds: true,
  });
});

// Where both have an answer it is the same one. Numbers are doubles here, which both read alike.
describe("answers as the library does, on random conditions", () => {
  const atom = fc.constantFrom("args.n", "args.m", "1.0", "2.5");
  const text = fc.constantFrom("args.s", "args.t", "'a'", "'ab'", "args.s + args.t");
  const comparison = fc.oneof(
    fc.tuple(atom, fc.constantFrom("<", "<=", ">", ">=", "==", "!="), atom).map((p) => p.join(" ")),
    fc
      .tuple(text, fc.constantFrom("startsWith", "endsWith", "contains"), text)
      .map(([receiver, method, part]) => `(${receiver}).${method}(${part})`),
    fc.tuple(text, text).map(([left, right]) => `${left} == ${right}`),
    fc.constantFrom("args.missing == 'a'", "has(args.missing)", "has(args.s)", "true", "false"),
    fc.tuple(text).map(([item]) => `${item} in args.l`),
  );
  const { condition } = fc.letrec<{ condition: string }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 4 },
      comparison,
      fc
        .tuple(tie("condition"), fc.constantFrom("&&", "||"), tie("condition"))
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      tie("condition").map((inner) => `!(${inner})`),
      fc
        .tuple(tie("condition"), tie("condition"), tie("condition"))
        .map(([test, yes, no]) => `(${test} ? ${yes} : ${no})`),
      fc
        .tuple(fc.constantFrom("all", "exists", "exists_one"), tie("condition"))
        .map(([macro, inner]) => `args.l.${macro}(x, x == 'a' || ${inner})`),
    ),
  }));
  const letters = fc.constantFrom("", "a", "b", "ab", "aab");
  const args = fc.record({
    n: fc.constantFrom(-1.5, 1, 2.5),
    m: fc.constantFrom(1, 2.5, 7.25),
    s: letters,
    t: letters,
    l: fc.array(letters, { maxLength: 4 }),
  });

  test("2,000 of them", () => {
    let compared = 0;
    const property = fc.property(condition, args, (when, values) => {
      const ours = answer(when, values);
      if (ours.refused) return;
      compared += 1;
      expect([when, ours.holds]).toEqual([when, ask(when, values)]);
    });
    fc.assert(property, { numRuns: 2_000, seed: 4 });
    expect(compared).toBeGreaterThan(1_000);
  });

  function ask(when: string, values: object): boolean | undefined {
    try {
      return evaluate(when, { args: values }) as boolean;
    } catch {
      return undefined;
    }
  }
});
