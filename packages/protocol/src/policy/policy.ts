import { type Digest, digestOf } from "../digest.ts";
import type { StandingTerms } from "./standing-terms.ts";

/**
 * Rules about actions: which are allowed, which need a person, which are denied. The grant decides
 * what a run may do at all; a policy takes away from that, and never adds.
 */
export interface Policy {
  readonly name: string;
  readonly rules: readonly Rule[];
}

export const DECISION_KINDS = ["allow", "ask", "deny"] as const;
export type DecisionKind = (typeof DECISION_KINDS)[number];

/** The effect of a rejected approval: it ends the run, or the caller of the action learns of it. */
export const REJECTIONS = ["stop", "tell"] as const;
export type Rejection = (typeof REJECTIONS)[number];

/** People with a part in an action, who can be kept from approving it. */
export const EXCLUSIONS = ["starter", "editor"] as const;
export type Exclusion = (typeof EXCLUSIONS)[number];

/** The worth of a plan's approval for an action that stands in the plan word for word. */
export const PLAN_WORTHS = ["suffices"] as const;
export type PlanWorth = (typeof PLAN_WORTHS)[number];

export interface Rule {
  readonly id: string;
  readonly decision: DecisionKind;
  /** Tool references, or `namespace.*` for all below it. Absent: every tool. */
  readonly tools?: readonly string[];
  /** A condition in CEL (spec/policy.md §4). Absent: it holds. */
  readonly when?: string;
  /** For `ask`: who may decide. Absent: anyone with an identity. */
  readonly role?: string;
  /** For `ask`: how many people must approve. */
  readonly approvers?: number;
  /** For `ask`: who may not approve, although they have the role. Absent: all people may. */
  readonly exclude?: readonly Exclusion[];
  /** For `ask`: how long a decision is waited for. */
  readonly decideWithinMs?: number;
  /** For `ask`: how long an approval may be used once it is complete. */
  readonly useWithinMs?: number;
  /** For `ask`. */
  readonly onReject?: Rejection;
  /** For `ask`: whether a plan's approval is enough (spec/approval.md §10). Absent: it is not. */
  readonly plan?: PlanWorth;
  /** For `ask`: how far an approval may stand (spec/approval.md §11). Absent: it may not. */
  readonly mayStand?: StandingTerms;
  /** Why the rule is there, for people. */
  readonly reason?: string;
  /** The place where it was written, if its loader knows it. */
  readonly file?: string;
  readonly line?: number;
}

/** Rules of one policy. */
export const POLICY_RULES_MAX = 256;
/** Tools that one rule may name. */
export const RULE_TOOLS_MAX = 256;
/** UTF-16 units of the name of a policy, a tool or a role. */
export const POLICY_NAME_LENGTH_MAX = 256;
/** Characters of the id of a rule. */
export const RULE_ID_LENGTH_MAX = 128;
/** UTF-16 units of the reason of a rule. */
export const RULE_REASON_LENGTH_MAX = 1_000;
/** UTF-16 units of the path of a file. */
export const RULE_FILE_LENGTH_MAX = 1_024;
/** UTF-16 units of a condition. */
export const CONDITION_LENGTH_MAX = 2_000;
/** People that a rule may ask. */
export const APPROVERS_MAX = 5;
/** The longest time that a rule may give to decide, or to use what was decided: 30 days. */
export const APPROVAL_WITHIN_MS_MAX = 30 * 24 * 60 * 60 * 1000;

/** How many people must approve when a rule does not say. */
export const APPROVERS_DEFAULT = 1;
/** How long a decision is waited for when a rule does not say: one day. */
export const DECIDE_WITHIN_MS_DEFAULT = 24 * 60 * 60 * 1000;
/** How long an approval may be used when a rule does not say: one hour. */
export const USE_WITHIN_MS_DEFAULT = 60 * 60 * 1000;
/** The effect of a rejected approval if a rule names none. */
export const ON_REJECT_DEFAULT: Rejection = "stop";

/** The digest of a policy: of everything in it, also of where its rules were written. */
export function digestPolicy(policy: Policy): Digest {
  return digestOf(policy);
}
