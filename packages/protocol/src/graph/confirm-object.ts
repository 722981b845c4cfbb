import { type FieldsOf, hasOnly, type Is, isListOf, isOneOf, isText } from "../shape.ts";
import { isDateTime } from "./date-time.ts";
import { CONFIRM_STATUSES } from "./lifecycles.ts";
import {
  type Attached,
  attached,
  type Governed,
  governed,
  isId,
  isMeta,
  type Meta,
} from "./object-parts.ts";

const TARGET_TYPES = ["context", "plan", "trace", "extension", "other"] as const;
const DECISIONS = ["approved", "rejected", "cancelled"] as const;

/** An approval: the question about a target, and the decision. */
export interface ConfirmObject extends Attached, Governed {
  readonly meta: Meta;
  readonly confirm_id: string;
  readonly target_type: (typeof TARGET_TYPES)[number];
  readonly target_id: string;
  readonly status: (typeof CONFIRM_STATUSES)[number];
  readonly requested_by_role: string;
  readonly requested_at: string;
  readonly reason?: string;
  readonly decisions?: readonly ConfirmDecision[];
}

export interface ConfirmDecision {
  readonly decision_id: string;
  readonly status: (typeof DECISIONS)[number];
  readonly decided_by_role: string;
  readonly decided_at: string;
  readonly reason?: string;
}

export const isConfirmDecision: Is<ConfirmDecision> = hasOnly(
  {
    decision_id: isId,
    status: isOneOf(DECISIONS),
    decided_by_role: isText,
    decided_at: isDateTime,
  },
  { reason: isText },
);

export const confirmFields: FieldsOf<ConfirmObject> = {
  always: {
    meta: isMeta,
    confirm_id: isId,
    target_type: isOneOf(TARGET_TYPES),
    target_id: isId,
    status: isOneOf(CONFIRM_STATUSES),
    requested_by_role: isText,
    requested_at: isDateTime,
  },
  sometimes: {
    reason: isText,
    decisions: isListOf(isConfirmDecision),
    ...attached,
    ...governed,
  },
};
