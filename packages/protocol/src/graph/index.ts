export {
  type CheckedInvariants,
  checkInvariants,
  type Invariant,
  type Violation,
} from "./check-invariants.ts";
export { type ConfirmDecision, isConfirmDecision } from "./confirm-object.ts";
export type { GraphEdgeRow, GraphNodeRow, GraphRowChange, GraphWrite } from "./graph-rows.ts";
export { INVARIANTS } from "./invariants.ts";
export {
  findTransition,
  GUARDS,
  type Guard,
  isFinal,
  LIFECYCLES,
  STATUSES,
  type Transition,
} from "./lifecycles.ts";
export {
  findWrongEdit,
  type ObjectOf,
  type ObjectType,
  type ParsedObject,
  parseObject,
} from "./parse-object.ts";
