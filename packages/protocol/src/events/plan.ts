/** Plans before they are executed, and their ends (spec/plan.md). */
import { type DeclaredCompensation, isRecordedCompensation } from "../compensation.ts";
import type { BlobRef, ContentDigest } from "../log/blob-ref.ts";
import {
  type FieldsOf,
  hasFields,
  hasOnly,
  isCount,
  isHash,
  isListOf,
  isOneOf,
  isText,
} from "../shape.ts";
import { isContentDigest, isRef } from "./fields.ts";

/** A step of a plan, without its author's texts. */
export type PlannedStep = {
  /** Where it stands in the flow. */
  readonly path: string;
  readonly loop: string;
  /** The steps that it depends on, by their places in the plan. */
  readonly after: readonly number[];
};

/** A step as it is proposed. */
export type ProposedStep = PlannedStep & {
  /** The digest of its loop's input, if the plan holds all of it. */
  readonly exact?: ContentDigest;
  /** The build of the tool that it calls: the approved action runs with that one. */
  readonly build?: string;
  /** That tool's declaration of its compensation. */
  readonly compensation?: DeclaredCompensation;
  readonly irreversible?: string;
};

export type PlanProposed = {
  /** The plan as it was written. Content. */
  readonly document: BlobRef;
  readonly steps: readonly ProposedStep[];
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

const plannedStep = { path: isText, loop: isText, after: isListOf(isCount) };
export const isPlannedStep = hasFields(plannedStep);
const isProposedStep = hasOnly(plannedStep, {
  ...{ exact: isContentDigest, build: isText },
  ...{ compensation: isRecordedCompensation, irreversible: isText },
});

export const planProposed: FieldsOf<PlanProposed> = {
  always: { document: isRef, steps: isListOf(isProposedStep) },
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
