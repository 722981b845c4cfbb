/** What is planned before it is done, and what became of it (spec/plan.md). */
import type { BlobRef } from "../log/blob-ref.ts";
import { type FieldsOf, hasFields, isCount, isHash, isListOf, isOneOf, isText } from "../shape.ts";
import { isRef } from "./fields.ts";

/** A step of a plan, without a word of whoever wrote it. */
export type PlannedStep = {
  /** Where it stands in the flow. */
  readonly path: string;
  readonly loop: string;
  /** The steps that it depends on, by their places in the plan. */
  readonly after: readonly number[];
};

export type PlanProposed = {
  /** The plan as it was written. Content. */
  readonly document: BlobRef;
  readonly steps: readonly PlannedStep[];
};

export const PLAN_DECISIONS = ["approved", "rejected", "expired", "denied"] as const;
export type PlanDecision = (typeof PLAN_DECISIONS)[number];

export type PlanDecided = {
  /** The proposal, by its sequence number and its hash. */
  readonly plan: number;
  readonly hash: string;
  readonly decision: PlanDecision;
};

export const PLAN_ENDS = ["completed", "failed", "cancelled"] as const;
export type PlanEnd = (typeof PLAN_ENDS)[number];

export type PlanClosed = {
  readonly plan: number;
  readonly hash: string;
  readonly status: PlanEnd;
};

export const isPlannedStep = hasFields({ path: isText, loop: isText, after: isListOf(isCount) });

export const planProposed: FieldsOf<PlanProposed> = {
  always: { document: isRef, steps: isListOf(isPlannedStep) },
  sometimes: {},
};

export const planDecided: FieldsOf<PlanDecided> = {
  always: { plan: isCount, hash: isHash, decision: isOneOf(PLAN_DECISIONS) },
  sometimes: {},
};

export const planClosed: FieldsOf<PlanClosed> = {
  always: { plan: isCount, hash: isHash, status: isOneOf(PLAN_ENDS) },
  sometimes: {},
};
