/** A plan as it is written, by a person or a model (spec/plan.md §1). */
import type { JsonObject, JsonValue } from "../canonical-json.ts";
import type { RollbackCause } from "../outcomes.ts";
import type { RollbackHead } from "./rollback-head.ts";

export interface PlanDocument {
  readonly title: string;
  readonly objective?: string;
  readonly steps: readonly PlanStep[];
  /** Its worst case, as its proposer has computed it. */
  readonly worst?: JsonObject;
  /** True if every action of its steps must be reversible. */
  readonly reversible?: boolean;
  /** Why its run, where it stops, has its rollback asked for by the host. */
  readonly rollbackOn?: readonly RollbackCause[];
  /** The actions that it takes back, if it is a rollback. */
  readonly rollback?: RollbackHead;
}

export interface PlanStep {
  /** Its name for other steps. */
  readonly id: string;
  readonly description?: string;
  /** The loop that it calls. */
  readonly loop: string;
  readonly version?: string;
  /** Field by field a value, or where in what an earlier step gave it comes from. */
  readonly input?: Readonly<Record<string, JsonValue | StepSource>>;
  /** Steps that must be completed before it, beside the steps that it reads. */
  readonly after?: readonly string[];
  /** False: when it fails the plan goes on, without what depends on it. */
  readonly critical?: boolean;
}

/** A path such as `$.find.output.address`: a step, and where in its output. */
export interface StepSource {
  readonly from: string;
}

/** Steps of a plan: its flow has to have room for them. */
export const PLAN_STEPS_MAX = 100;
/** UTF-16 units of a title. */
export const PLAN_TITLE_LENGTH_MAX = 200;
