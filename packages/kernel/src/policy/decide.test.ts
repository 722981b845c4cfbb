import { readFileSync } from "node:fs";
import { DENIAL_CAUSES, type Effect, type JsonValue, type Rule } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { compilePolicy, POLICY_CACHE_MAX, readPolicy } from "./compile-policy.ts";
import { type CompiledPolicy, UNREADABLE_POLICY } from "./compiled-policy.ts";
import { decide } from "./decide.ts";
import { sampleFacts } from "./sample-facts.test.data.ts";

interface Vector {
  readonly description: string;
  readonly input: {
    readonly rules: readonly Rule[];
    readonly tool: string;
    readonly effect: Effect;
    readonly args: JsonValue;
  };
  readonly expect: { readonly kind: string; readonly rule?: string };
}

const spec = new URL("../../../../spec/", import.meta.url);
const vectors = JSON.parse(
  readFileSync(new URL("vectors/policy/decide.json", spec), "utf8"),
) as Vector[];

function compile(rules: readonly Rule[]): CompiledPolicy {
  const compiled = compilePolicy({ name: "p", rules });
  if (compiled.kind === "refused") throw new Error(JSON.stringify(compiled.problems));
  return compiled.policy;
}

describe("spec/vectors/policy/decide.json", () => {
  test.each(vectors.map((vector) => [vector.description, vector] as const))("%s", (_, vector) => {
    const { rules, tool: name, effect, args } = vector.input;
    const decision = decide(compile(rules), sampleFacts(args, { name, effect }));
    const { rule, ...rest } = vector.expect;
    expect({ mayStand: null, ...decision }).toMatchObject({
      ...rest,
      ...(rule === undefined ? {} : { rule: { id: rule } }),
    });
    expect(decision.rule?.id).toBe(rule);
  });
});

test("spec/policy.md lists why an action is denied", () => {
  const text = readFileSync(new URL("policy.md", spec), "utf8");
  for (const cause of DENIAL_CAUSES) expect(text).toContain(`\`${cause}\``);
});

test("a decision carries the policy, the rule with its place, and what a person is asked", () => {
  const rule: Rule = {
    id: "large",
    decision: "ask",
    when: "args.cents > 100",
    role: "finance",
    approvers: 2,
    decideWithinMs: 1_000,
    useWithinMs: 2_000,
    onReject: "tell",
    reason: "more than a euro",
    file: "policy.toml",
    line: 7,
  };
  const policy = compile([rule]);
  expect(decide(policy, sampleFacts({ cents: 101 }))).toEqual({
    kind: "ask",
    policy: policy.kind === "compiled" ? policy.digest : "",
    rule: { id: "large", file: "policy.toml", line: 7 },
    role: "finance",
    approvers: 2,
    decideWithinMs: 1_000,
    useWithinMs: 2_000,
    onReject: "tell",
    reason: "more than a euro",
  });
});

test("a plan suffices where every rule that asks says so", () => {
  const ask = { decision: "ask", plan: "suffices" } as const;
  const small: Rule = { id: "small", decision: "ask", when: "args.cents < 10" };
  const policy = compile([{ ...ask, id: "a" }, { ...ask, id: "b", approvers: 2 }, small]);
  expect(decide(policy, sampleFacts({ cents: 10 }))).toMatchObject({ plan: "suffices" });
  expect(decide(policy, sampleFacts({ cents: 9 }))).not.toHaveProperty("plan");
  // A condition that gives no answer counts against the action.
  expect(decide(policy, sampleFacts({}))).not.toHaveProperty("plan");
});

test("what a rule that asks does not say is filled in", () => {
  expect(decide(compile([{ id: "a", decision: "ask" }]), sampleFacts({}))).toMatchObject({
    approvers: 1,
    decideWithinMs: 86_400_000,
    useWithinMs: 3_600_000,
    onReject: "stop",
  });
});

test("a rule without onReject follows its run, and one with it does not", () => {
  const policy = (rule: object) => compile([{ id: "a", decision: "ask", ...rule }]);
  const facts = sampleFacts({});
  expect(decide(policy({}), facts, "tell")).toMatchObject({ onReject: "tell" });
  expect(decide(policy({ onReject: "stop" }), facts, "tell")).toMatchObject({ onReject: "stop" });
});

describe("a policy that cannot be read", () => {
  test.each([
    ["nothing", undefined],
    ["a text", "allow everything"],
    ["an unknown field", { name: "p", rules: [], default: "allow" }],
    ["a condition that is none", { name: "p", rules: [{ id: "a", decision: "allow", when: "(" }] }],
  ])("%s denies everything, also reading", (_, value) => {
    const policy = readPolicy(value);
    expect(policy).toBe(UNREADABLE_POLICY);
    for (const effect of ["read", "idempotent", "reconcile", "once"] as const) {
      expect(decide(policy, sampleFacts({}, { effect }))).toEqual({
        kind: "deny",
        because: "unreadable",
      });
    }
  });
});

test("every condition that cannot be read is told, with its rule", () => {
  const rules = [
    { id: "good", decision: "allow", when: "true" },
    { id: "typo", decision: "deny", when: "arg.cents > 5" },
    { id: "cut-off", decision: "deny", when: "args.cents >" },
  ];
  expect(compilePolicy({ name: "p", rules })).toEqual({
    kind: "refused",
    problems: [
      expect.objectContaining({
        rule: "condition-invalid",
        path: "/rules/1/when",
        message:
          "the condition of rule `typo`: `arg` is not known; did you mean args? (at character 1)",
      }),
      expect.objectContaining({
        rule: "condition-invalid",
        path: "/rules/2/when",
        message: expect.stringContaining("rule `cut-off`"),
      }),
    ],
  });
});

test("equal policies are compiled once, and POLICY_CACHE_MAX of them are kept", () => {
  const rulesOf = (index: number): Rule[] => [{ id: `r${index}`, decision: "deny" }];
  const first = compile(rulesOf(0));
  expect(compile(rulesOf(0))).toBe(first);
  for (let index = 1; index < POLICY_CACHE_MAX; index++) compile(rulesOf(index));
  expect(compile(rulesOf(0))).toBe(first);
  compile(rulesOf(POLICY_CACHE_MAX));
  expect(compile(rulesOf(0))).not.toBe(first);
});

test("a condition that ran out of steps counts against the action", () => {
  const when = "args.l.all(a, args.l.all(b, args.l.all(c, true)))";
  const facts = sampleFacts({ l: Array(200).fill(1) });
  const all: Rule = { id: "all", decision: "allow" };
  expect(decide(compile([{ id: "a", decision: "allow", when }]), facts)).toMatchObject({
    kind: "deny",
    because: "default",
  });
  expect(decide(compile([all, { id: "a", decision: "deny", when: `!${when}` }]), facts)).toEqual(
    expect.objectContaining({ kind: "deny", because: "rule", failure: "steps-exhausted" }),
  );
  expect(decide(compile([all, { id: "a", decision: "ask", when: `!${when}` }]), facts)).toEqual(
    expect.objectContaining({ kind: "ask", failure: "steps-exhausted" }),
  );
});
