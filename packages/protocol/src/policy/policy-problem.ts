/** A fault of a policy: its place, its rule, and how to fix it. */
export interface PolicyProblem {
  readonly rule: PolicyProblemRule;
  /** A JSON Pointer into the document; the empty string is the document itself. */
  readonly path: string;
  readonly message: string;
  readonly mend: string;
}

/** The rules that a policy document can break, from the closed list of spec/policy.md. */
export const POLICY_PROBLEM_RULES = [
  "document-object",
  "field-missing",
  "field-type",
  "field-unknown",
  "field-empty",
  "field-misplaced",
  "rules-limit",
  "rule-repeated",
  "condition-invalid",
] as const;
export type PolicyProblemRule = (typeof POLICY_PROBLEM_RULES)[number];

/** Problems that are reported of one policy; a longer list says no more. */
export const POLICY_PROBLEMS_MAX = 100;
