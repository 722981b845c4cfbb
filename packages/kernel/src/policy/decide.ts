/**
 * Decides on an action by a policy.
 *
 * 1. Deny wins over ask, ask over allow. No rule: reading is allowed, every effect is denied.
 * 2. A condition that gives no answer counts against the action: it matches where the rule denies
 *    or asks, and not where it allows.
 * 3. The same policy and facts always give the same decision: no clock, no randomness.
 */
import {
  APPROVERS_DEFAULT,
  type AskDecision,
  type ConditionFailure,
  DECIDE_WITHIN_MS_DEFAULT,
  type Decision,
  type Digest,
  EXCLUSIONS,
  type Exclusion,
  narrowStanding,
  ON_REJECT_DEFAULT,
  type PolicyFacts,
  type Rejection,
  type Rule,
  type RuleReference,
  type StandingTerms,
  USE_WITHIN_MS_DEFAULT,
} from "@turnseal/protocol";
import type { CompiledPolicy, CompiledRule } from "./compiled-policy.ts";

export type { CompiledPolicy };

/** Decides about an action by one policy; `onReject` is for rules that do not say it. */
export function decide(
  policy: CompiledPolicy,
  facts: PolicyFacts,
  onReject: Rejection = ON_REJECT_DEFAULT,
): Decision {
  if (policy.kind === "unreadable") return { kind: "deny", because: "unreadable" };
  const { digest } = policy;
  const denied = findMatch(policy.denies, facts, true);
  if (denied !== undefined) {
    return { kind: "deny", because: "rule", ...describe(denied, digest) };
  }
  const asked = findMatch(policy.asks, facts, true);
  if (asked !== undefined)
    return { onReject, ...ask(asked, digest, listAsking(policy.asks, facts)) };
  const allowed = findMatch(policy.allows, facts, false);
  if (allowed !== undefined) return { kind: "allow", ...describe(allowed, digest) };
  if (facts.tool.effect === "read") return { kind: "allow", policy: digest };
  return { kind: "deny", because: "default", policy: digest };
}

interface Match {
  readonly rule: Rule;
  readonly failure?: ConditionFailure;
}

function findMatch(
  rules: readonly CompiledRule[],
  facts: PolicyFacts,
  failureMatches: boolean,
): Match | undefined {
  for (const { rule, isAbout, condition } of rules) {
    if (!isAbout(facts.tool.name)) continue;
    const holds = condition(facts);
    if (holds === true) return { rule };
    if (holds !== false && failureMatches) return { rule, failure: holds };
  }
  return undefined;
}

/** Every rule that asks here. */
function listAsking(asks: readonly CompiledRule[], facts: PolicyFacts): Rule[] {
  // Most policies have no rule whose company matters.
  const isAlone = ({ exclude, plan, mayStand }: Rule): boolean =>
    exclude === undefined && plan === undefined && mayStand === undefined;
  if (asks.every(({ rule }) => isAlone(rule))) return [];
  return asks
    .filter(({ isAbout, condition }) => isAbout(facts.tool.name) && condition(facts) !== false)
    .map(({ rule }) => rule);
}

/** Lists everybody that any of the rules excludes: the recorded rule lets none of them back in. */
function listExclusions(asking: readonly Rule[]): Exclusion[] {
  const words = asking.flatMap(({ exclude }) => exclude ?? []);
  return EXCLUSIONS.filter((word) => words.includes(word));
}

type Asked = Omit<AskDecision, "onReject"> & Partial<Pick<AskDecision, "onReject">>;

function ask(match: Match, digest: Digest, asking: readonly Rule[]): Asked {
  const { role, approvers, decideWithinMs, useWithinMs, onReject, plan } = match.rule;
  const exclude = listExclusions(asking);
  const mayStand = findStandingTerms(asking);
  const isPlanEnough = plan === "suffices" && asking.every((rule) => rule.plan === plan);
  return {
    kind: "ask",
    ...describe(match, digest),
    ...(role === undefined ? {} : { role }),
    approvers: approvers ?? APPROVERS_DEFAULT,
    ...(exclude.length === 0 ? {} : { exclude }),
    decideWithinMs: decideWithinMs ?? DECIDE_WITHIN_MS_DEFAULT,
    useWithinMs: useWithinMs ?? USE_WITHIN_MS_DEFAULT,
    ...(onReject === undefined ? {} : { onReject }),
    ...(isPlanEnough ? { plan } : {}),
    ...(mayStand === undefined ? {} : { mayStand }),
  };
}

/** The narrowest terms, where every rule that asks has some. */
function findStandingTerms(asking: readonly Rule[]): StandingTerms | undefined {
  const all = asking.flatMap(({ mayStand }) => mayStand ?? []);
  return all.length === asking.length && all.length > 0 ? all.reduce(narrowStanding) : undefined;
}

interface Described {
  readonly policy: Digest;
  readonly rule: RuleReference;
  readonly failure?: ConditionFailure;
  readonly reason?: string;
}

function describe({ rule, failure }: Match, policy: Digest): Described {
  const { id, file, line, reason } = rule;
  return {
    policy,
    rule: {
      id,
      ...(file === undefined ? {} : { file }),
      ...(line === undefined ? {} : { line }),
    },
    ...(failure === undefined ? {} : { failure }),
    ...(reason === undefined ? {} : { reason }),
  };
}
