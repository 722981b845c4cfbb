import { expect, test } from "vitest";
import { parseRule, RULE_DEPTH_MAX, RULE_LENGTH_MAX } from "./rule.ts";

test("a rule has RULE_LENGTH_MAX characters at most", () => {
  const ruleOf = (length: number) => `eq("${"x".repeat(length - 'eq("")'.length)}")`;
  expect(parseRule(ruleOf(RULE_LENGTH_MAX)).kind).toBe("parsed");
  expect(parseRule(ruleOf(RULE_LENGTH_MAX + 1)).kind).toBe("refused");
});

test("a rule has RULE_DEPTH_MAX levels at most", () => {
  const ruleOf = (levels: number) =>
    `${"if(a, ".repeat(levels - 1)}exists${")".repeat(levels - 1)}`;
  expect(parseRule(ruleOf(RULE_DEPTH_MAX)).kind).toBe("parsed");
  expect(parseRule(ruleOf(RULE_DEPTH_MAX + 1)).kind).toBe("refused");
});
