import {
  type Digest,
  digestPolicy,
  type PolicyProblem,
  parsePolicy,
  type Rule,
} from "@turnseal/protocol";
import { type Condition, compileCondition } from "../bounded/condition/condition.ts";
import { joinUnitsRead } from "../values/units-read.ts";
import { type CompiledPolicy, type CompiledRule, UNREADABLE_POLICY } from "./compiled-policy.ts";

export type PolicyCompilation =
  | { readonly kind: "compiled"; readonly policy: CompiledPolicy }
  | { readonly kind: "refused"; readonly problems: readonly PolicyProblem[] };

/** Compiled policies that are kept. */
export const POLICY_CACHE_MAX = 32;

const cache = new Map<Digest, CompiledPolicy>();

/** Checks a policy from anywhere, and compiles it. */
export function compilePolicy(value: unknown): PolicyCompilation {
  const parsed = parsePolicy(value);
  if (parsed.kind === "refused") return parsed;
  const { policy } = parsed;
  const digest = digestPolicy(policy);
  const cached = cache.get(digest);
  if (cached !== undefined) return { kind: "compiled", policy: cached };
  const problems: PolicyProblem[] = [];
  const rules = policy.rules.map((rule, index) => compileRule(rule, index, problems));
  if (problems.length > 0) return { kind: "refused", problems };
  const compiled = sortRules(digest, rules);
  keep(digest, compiled);
  return { kind: "compiled", policy: compiled };
}

/** A compiled policy, by its digest: policies with one digest are equal. */
export function findPolicy(digest: Digest): CompiledPolicy | undefined {
  return cache.get(digest);
}

/** Compiles a recorded policy; an unreadable one denies everything. */
export function readPolicy(value: unknown): CompiledPolicy {
  const compiled = compilePolicy(value);
  return compiled.kind === "compiled" ? compiled.policy : UNREADABLE_POLICY;
}

function keep(digest: Digest, policy: CompiledPolicy): void {
  const [oldest] = cache.keys();
  if (cache.size >= POLICY_CACHE_MAX && oldest !== undefined) cache.delete(oldest);
  cache.set(digest, policy);
}

function sortRules(digest: Digest, rules: readonly CompiledRule[]): CompiledPolicy {
  const decide = (kind: Rule["decision"]): CompiledRule[] =>
    rules.filter(({ rule }) => rule.decision === kind);
  const asks = decide("ask");
  // The sort is stable for equal numbers.
  asks.sort((a, b) => (b.rule.approvers ?? 1) - (a.rule.approvers ?? 1));
  const unitsRead = joinUnitsRead(rules.map((rule) => rule.unitsRead));
  const [denies, allows] = [decide("deny"), decide("allow")];
  return { kind: "compiled", digest, denies, asks, allows, unitsRead };
}

const always: Condition = () => true;

function compileRule(rule: Rule, index: number, problems: PolicyProblem[]): CompiledRule {
  const isAbout = compileTools(rule.tools);
  const unconditional = { rule, isAbout, condition: always, unitsRead: [] };
  if (rule.when === undefined) return unconditional;
  const compiled = compileCondition(rule.when);
  if (compiled.kind === "compiled") {
    const { condition, unitsRead } = compiled;
    return { rule, isAbout, condition, unitsRead };
  }
  problems.push({
    rule: "condition-invalid",
    path: `/rules/${index}/when`,
    message: `the condition of rule \`${rule.id}\`: ${compiled.reason}`,
    mend: "write it as CEL, such as args.cents <= 5000 or tool.effect == 'once'",
  });
  return unconditional;
}

function compileTools(tools: readonly string[] | undefined): (tool: string) => boolean {
  if (tools === undefined) return () => true;
  const names = new Set(tools);
  const namespaces = tools.filter((tool) => tool.endsWith(".*")).map((tool) => tool.slice(0, -1));
  return (tool) => names.has(tool) || namespaces.some((namespace) => tool.startsWith(namespace));
}
