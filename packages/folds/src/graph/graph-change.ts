/** The changes of a graph, and their results (spec/graph.md §3). */
import type { ConfirmDecision, Guard, ObjectOf, ObjectType } from "@turnseal/protocol/graph";

/** Objects that stand by themselves, with their parts: a plan with steps, a trace with segments. */
export type WholeType = Exclude<ObjectType, "step" | "segment">;

export type GraphChange = Change & {
  /** The version of the node that the author of the change has seen. */
  readonly saw?: number;
};

type Change =
  | { readonly kind: "put"; readonly type: WholeType; readonly object: unknown }
  /** A further step of a plan, or a further segment of a trace. */
  | { readonly kind: "add"; readonly to: string; readonly object: unknown }
  /** Other values of fields; null takes a field away. */
  | { readonly kind: "edit"; readonly id: string; readonly fields: FieldValues }
  | {
      readonly kind: "move";
      readonly id: string;
      readonly to: string;
      /** For a confirm: the decision, with its decider. */
      readonly decision?: ConfirmDecision;
    }
  | { readonly kind: "remove"; readonly id: string };

export type FieldValues = Readonly<Record<string, unknown>>;

/** Why a change is refused, beside what guards say. */
export const GRAPH_REFUSALS = [
  "object-invalid",
  "id-taken",
  "status-not-initial",
  "node-unknown",
  "version-stale",
  "reference-unknown",
  "cycle",
  "referenced",
  "finished",
  "plan-fixed",
  "field-fixed",
  "transition-unknown",
] as const;
export type RefusalRule = (typeof GRAPH_REFUSALS)[number] | Guard;

export interface Refused {
  readonly kind: "refused";
  readonly rule: RefusalRule;
  /** The node or the field that it is about. */
  readonly about: string;
}

/** One node that has another status. */
export interface StatusChange {
  readonly id: string;
  readonly type: ObjectType;
  readonly from: string;
  readonly to: string;
}

export interface Changed {
  readonly kind: "changed";
  readonly statuses: readonly StatusChange[];
  /** How many nodes and edges there are more than before. */
  readonly nodeDelta: number;
  readonly edgeDelta: number;
}

export function refuse(rule: RefusalRule, about: string): Refused {
  return { kind: "refused", rule, about };
}

/** An object of any type. */
export type AnyObject = ObjectOf[ObjectType];
