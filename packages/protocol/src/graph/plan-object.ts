import { type FieldsOf, hasOnly, type Is, isCount, isListOf, isOneOf, isText } from "../shape.ts";
import { PLAN_STATUSES, STEP_STATUSES } from "./lifecycles.ts";
import { type Attached, attached, isFilled, isId, isMeta, type Meta } from "./object-parts.ts";

/** Steps that depend on each other, to be approved as one thing. */
export interface PlanObject extends Attached {
  readonly meta: Meta;
  readonly plan_id: string;
  readonly context_id: string;
  readonly title: string;
  readonly objective: string;
  readonly status: (typeof PLAN_STATUSES)[number];
  readonly steps: readonly StepObject[];
}

export interface StepObject {
  readonly step_id: string;
  readonly description: string;
  readonly status: (typeof STEP_STATUSES)[number];
  /** Steps of the same plan. */
  readonly dependencies?: readonly string[];
  readonly agent_role?: string;
  readonly order_index?: number;
}

export const stepFields: FieldsOf<StepObject> = {
  always: { step_id: isId, description: isFilled, status: isOneOf(STEP_STATUSES) },
  sometimes: { dependencies: isListOf(isId), agent_role: isText, order_index: isCount },
};
const isStep: Is<StepObject> = hasOnly(stepFields.always, stepFields.sometimes);

export const planFields: FieldsOf<PlanObject> = {
  always: {
    meta: isMeta,
    plan_id: isId,
    context_id: isId,
    title: isFilled,
    objective: isFilled,
    status: isOneOf(PLAN_STATUSES),
    steps: isListOf(isStep, { least: 1 }),
  },
  sometimes: attached,
};
