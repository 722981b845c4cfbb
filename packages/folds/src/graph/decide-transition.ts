/**
 * Decides whether a node may have another status: by the table of its type, the rules around it,
 * and the moves that follow. It changes nothing.
 */
import {
  type ConfirmDecision,
  findTransition,
  type Guard,
  isConfirmDecision,
  type ObjectOf,
  type Transition,
} from "@turnseal/protocol/graph";
import { type Graph, type NodeEntry, statusOf } from "./graph.ts";
import { type Refused, refuse } from "./graph-change.ts";

/** The capability of a role whose holders approve. */
export const APPROVING = "confirm.approve";

export interface Move {
  readonly entry: NodeEntry;
  readonly to: string;
}

export type DecidedTransition = Refused | { readonly kind: "decided"; readonly moves: Move[] };

interface Wanted extends Move {
  readonly graph: Graph;
  readonly decision?: ConfirmDecision | undefined;
  /** A confirm that is being decided brings it about. */
  readonly isConsequence?: boolean;
}

export function decideTransition(wanted: Wanted): DecidedTransition {
  const { graph, entry, to } = wanted;
  const { id, type } = entry.node;
  const transition = type === "role" ? undefined : findTransition(type, statusOf(entry.node), to);
  if (transition === undefined) return refuse("transition-unknown", id);
  const broken = transition.guards?.find((guard) => !guards[guard](wanted));
  if (broken !== undefined) return refuse(broken, id);
  const moves: Move[] = [{ entry, to }];
  const target = findTargetPlan(graph, entry);
  if (transition.effect === undefined || target === undefined) return { kind: "decided", moves };
  const brought = decideTransition({
    graph,
    entry: target,
    to: effectOf(transition),
    isConsequence: true,
  });
  return brought.kind === "refused"
    ? brought
    : { kind: "decided", moves: [...moves, ...brought.moves] };
}

function effectOf({ effect, to }: Transition): string {
  return effect?.targetPlan ?? to;
}

const guards: Readonly<Record<Guard, (wanted: Wanted) => boolean>> = {
  "confirm-decides": ({ isConsequence = false }) => isConsequence,
  "decision-given": ({ decision, to }) => isConfirmDecision(decision) && decision.status === to,
  "decider-permitted": ({ graph, decision }) => {
    const role = graph.entries.get(decision?.decided_by_role ?? "")?.node;
    if (role?.type !== "role") return false;
    return (role.object as ObjectOf["role"]).capabilities?.includes(APPROVING) ?? false;
  },
  "plan-proposed": ({ graph, entry }) => {
    const plan = findTargetPlan(graph, entry);
    return plan === undefined || statusOf(plan.node) === "proposed";
  },
  "context-active": ({ graph, entry }) => {
    const plan = entry.node.type === "plan" ? entry : ownerOf(graph, entry);
    if (plan === undefined) return false;
    const context = graph.entries.get((plan.node.object as ObjectOf["plan"]).context_id)?.node;
    return context !== undefined && statusOf(context) === "active";
  },
  "plan-in-progress": ({ graph, entry }) => {
    const plan = ownerOf(graph, entry)?.node;
    return plan !== undefined && statusOf(plan) === "in_progress";
  },
  "dependencies-completed": (wanted) =>
    listDependencies(wanted).every((status) => status === "completed"),
  "dependency-failed": (wanted) => listDependencies(wanted).some(isLost),
  "dependencies-resolved": (wanted) => !listDependencies(wanted).some(isLost),
  "steps-finished": ({ entry: { steps } }) =>
    [...steps].every(
      ([status, count]) => count === 0 || status === "completed" || status === "skipped",
    ),
  "step-failed": ({ entry: { steps } }) => (steps.get("failed") ?? 0) > 0,
};

/** A step that depends on a failed or blocked one can never start. */
function isLost(status: string): boolean {
  return status === "failed" || status === "blocked";
}

function listDependencies({ graph, entry }: Wanted): string[] {
  const { dependencies = [] } = entry.node.object as ObjectOf["step"];
  return dependencies.flatMap((id) => {
    const needed = graph.entries.get(id)?.node;
    return needed === undefined ? [] : [statusOf(needed)];
  });
}

function ownerOf({ entries }: Graph, { node }: NodeEntry): NodeEntry | undefined {
  return entries.get(node.owner ?? "");
}

/** The plan that a confirm is about. */
function findTargetPlan({ entries }: Graph, { node }: NodeEntry): NodeEntry | undefined {
  if (node.type !== "confirm") return undefined;
  const { target_type, target_id } = node.object as ObjectOf["confirm"];
  return target_type === "plan" ? entries.get(target_id) : undefined;
}
