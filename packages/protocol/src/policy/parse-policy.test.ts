import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parsePolicy } from "./parse-policy.ts";
import {
  APPROVAL_WITHIN_MS_MAX,
  APPROVERS_DEFAULT,
  APPROVERS_MAX,
  CONDITION_LENGTH_MAX,
  DECIDE_WITHIN_MS_DEFAULT,
  DECISION_KINDS,
  digestPolicy,
  ON_REJECT_DEFAULT,
  POLICY_NAME_LENGTH_MAX,
  POLICY_RULES_MAX,
  REJECTIONS,
  RULE_FILE_LENGTH_MAX,
  RULE_ID_LENGTH_MAX,
  RULE_REASON_LENGTH_MAX,
  RULE_TOOLS_MAX,
  type Rule,
  USE_WITHIN_MS_DEFAULT,
} from "./policy.ts";
import { POLICY_PROBLEM_RULES, POLICY_PROBLEMS_MAX } from "./policy-problem.ts";

interface Vector {
  readonly description: string;
  readonly input: unknown;
  readonly expect: { readonly kind: string; readonly problems?: [string, string][] };
}

const root = new URL("../../../../spec/", import.meta.url);
const vectors = JSON.parse(
  readFileSync(new URL("vectors/policy/parse.json", root), "utf8"),
) as Vector[];

describe("spec/vectors/policy/parse.json", () => {
  test.each(vectors.map((vector) => [vector.description, vector] as const))("%s", (_, vector) => {
    const parsed = parsePolicy(vector.input);
    expect(parsed.kind).toBe(vector.expect.kind);
    if (parsed.kind === "parsed") expect(parsed.policy).toEqual(vector.input);
    else {
      const found = parsed.problems.map(({ rule, path }) => [rule, path]);
      expect(found).toEqual(vector.expect.problems);
    }
  });
});

test("spec/policy.md lists every problem and the closed words", () => {
  const text = readFileSync(new URL("policy.md", root), "utf8");
  for (const word of [...POLICY_PROBLEM_RULES, ...DECISION_KINDS, ...REJECTIONS]) {
    expect(text).toContain(`\`${word}\``);
  }
});

function kindOf(rule: object): string {
  return parsePolicy({ name: "p", rules: [{ id: "a", decision: "ask", ...rule }] }).kind;
}

describe("each maximum is allowed, and one more refused", () => {
  test.each<[string, (size: number) => Partial<Rule>, number]>([
    ["RULE_TOOLS_MAX", (size) => ({ tools: Array(size).fill("local.pay") }), RULE_TOOLS_MAX],
    ["RULE_ID_LENGTH_MAX", (size) => ({ id: "a".repeat(size) }), RULE_ID_LENGTH_MAX],
    ["RULE_REASON_LENGTH_MAX", (size) => ({ reason: "a".repeat(size) }), RULE_REASON_LENGTH_MAX],
    ["RULE_FILE_LENGTH_MAX", (size) => ({ file: "a".repeat(size) }), RULE_FILE_LENGTH_MAX],
    ["CONDITION_LENGTH_MAX", (size) => ({ when: "a".repeat(size) }), CONDITION_LENGTH_MAX],
    ["POLICY_NAME_LENGTH_MAX", (size) => ({ role: "a".repeat(size) }), POLICY_NAME_LENGTH_MAX],
    ["APPROVERS_MAX", (size) => ({ approvers: size }), APPROVERS_MAX],
    ["APPROVAL_WITHIN_MS_MAX", (size) => ({ decideWithinMs: size }), APPROVAL_WITHIN_MS_MAX],
  ])("%s", (_, make, max) => {
    expect(kindOf(make(max))).toBe("parsed");
    expect(kindOf(make(max + 1))).toBe("refused");
  });

  test("POLICY_RULES_MAX", () => {
    const rules = Array.from({ length: POLICY_RULES_MAX }, (_, index) => ({
      id: `rule-${index}`,
      decision: "deny",
    }));
    expect(parsePolicy({ name: "p", rules }).kind).toBe("parsed");
    expect(parsePolicy({ name: "p", rules: [...rules, { id: "more", decision: "deny" }] })).toEqual(
      {
        kind: "refused",
        problems: [expect.objectContaining({ rule: "rules-limit", path: "/rules" })],
      },
    );
  });

  test("the name of a policy", () => {
    const name = "n".repeat(POLICY_NAME_LENGTH_MAX);
    expect(parsePolicy({ name, rules: [] }).kind).toBe("parsed");
    expect(parsePolicy({ name: `${name}n`, rules: [] }).kind).toBe("refused");
  });

  test("POLICY_PROBLEMS_MAX problems are told, of however many", () => {
    const refused = parsePolicy({ name: "p", rules: Array(POLICY_RULES_MAX).fill({}) });
    expect(refused).toHaveProperty("problems.length", POLICY_PROBLEMS_MAX);
  });
});

test("a problem names its rule by id", () => {
  expect(parsePolicy({ name: "p", rules: [{ id: "pay-large", decision: "maybe" }] })).toEqual({
    kind: "refused",
    problems: [
      {
        rule: "field-type",
        path: "/rules/0/decision",
        message: "`decision` of rule `pay-large` is wrong",
        mend: "write one of allow, ask, deny",
      },
    ],
  });
});

test.each([
  ["local__pay", "write `local.pay`: only a model sees `__` for the dot"],
  ["pay", "write tools as `local.pay`, or as `mcp.*` for all below"],
  [7, "write tools as `local.pay`, or as `mcp.*` for all below"],
])("the tool %s of a rule is refused, with the name to write", (tool, mend) => {
  const rules = [{ id: "pay", decision: "ask", tools: [tool] }];
  expect(parsePolicy({ name: "p", rules })).toMatchObject({ problems: [{ mend }] });
});

test.each([
  ["a lone surrogate", { reason: "\ud800" }],
  ["a getter of a class", { reason: new Date(0) }],
  ["a field of the prototype", JSON.parse('{"__proto__": {"decision": "allow"}}')],
])("%s is refused", (_, rule) => {
  expect(kindOf(rule)).toBe("refused");
});

test("a policy is a copy of what was read", () => {
  const rule = { id: "a", decision: "deny" };
  const parsed = parsePolicy({ name: "p", rules: [rule] });
  rule.decision = "allow";
  expect(parsed).toHaveProperty("policy.rules.0.decision", "deny");
});

test("the digest is of all of it", () => {
  const rule: Rule = { id: "a", decision: "deny" };
  const digest = digestPolicy({ name: "p", rules: [rule] });
  expect(digest).toBe("sha256:99b572a99c3c39440d8a2bcdffc6fc6af5bafb2f5a3e7065199ae33d3ebced34");
  expect(digestPolicy({ rules: [rule], name: "p" })).toBe(digest);
  expect(digestPolicy({ name: "p", rules: [{ ...rule, line: 2 }] })).not.toBe(digest);
});

test("what holds when a rule does not say", () => {
  expect([APPROVERS_DEFAULT, ON_REJECT_DEFAULT]).toEqual([1, "stop"]);
  expect([DECIDE_WITHIN_MS_DEFAULT, USE_WITHIN_MS_DEFAULT]).toEqual([86_400_000, 3_600_000]);
});
