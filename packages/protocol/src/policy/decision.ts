import type { Amounts } from "../budget/budget.ts";
import type { JsonValue } from "../canonical-json.ts";
import type { Digest } from "../digest.ts";
import type { Effect } from "../outcomes.ts";
import type { Exclusion, PlanWorth, Rejection } from "./policy.ts";
import type { StandingTerms } from "./standing-terms.ts";

/**
 * The facts that a condition can read: all of them are known before the action, and none is a time.
 */
export interface PolicyFacts {
  readonly tool: { readonly name: string; readonly version: string; readonly effect: Effect };
  /** The arguments of the action. */
  readonly args: JsonValue;
  /** The grant that the action would run under. */
  readonly grant: object;
  /** The amounts that the run has committed so far. */
  readonly spend: Amounts;
  /** The needs that the tool declares for these arguments. */
  readonly needs: object;
  readonly run: { readonly id: string; readonly turn: number };
}

/** The names of the facts. */
export const POLICY_FACTS = ["tool", "args", "grant", "spend", "needs", "run"] as const;

/** The decision of a policy on one action. */
export type Decision = AllowDecision | AskDecision | DenyDecision;

interface Decided {
  /** The policy that decided. Absent: it could not be read, or there is none. */
  readonly policy?: Digest;
  /** The rule that decided. Absent: the default did. */
  readonly rule?: RuleReference;
  /** Why the rule's condition gave no answer; it counted against the action then. */
  readonly failure?: ConditionFailure;
  /** The rule's own words. */
  readonly reason?: string;
}

export interface AllowDecision extends Decided {
  readonly kind: "allow";
}

export interface AskDecision extends Decided {
  readonly kind: "ask";
  readonly rule: RuleReference;
  readonly role?: string;
  readonly approvers: number;
  /** The people that the rules exclude from approving. */
  readonly exclude?: readonly Exclusion[];
  readonly decideWithinMs: number;
  readonly useWithinMs: number;
  readonly onReject: Rejection;
  /** Where every rule that asks says so. */
  readonly plan?: PlanWorth;
  /** Where every rule that asks lets an approval stand: the narrowest of their terms. */
  readonly mayStand?: StandingTerms;
}

export interface DenyDecision extends Decided {
  readonly kind: "deny";
  readonly because: DenialCause;
}

/** A rule says so, no rule allows it, or the policy cannot be read. */
export const DENIAL_CAUSES = ["rule", "default", "unreadable"] as const;
export type DenialCause = (typeof DENIAL_CAUSES)[number];

/** A rule, by what people find it by. */
export interface RuleReference {
  readonly id: string;
  readonly file?: string;
  readonly line?: number;
}

/** Why a condition can give no answer. It says nothing of the values. */
export const CONDITION_FAILURES = [
  "field-missing",
  "index-outside",
  "type-mismatch",
  "number-overflow",
  "steps-exhausted",
] as const;
export type ConditionFailure = (typeof CONDITION_FAILURES)[number];
