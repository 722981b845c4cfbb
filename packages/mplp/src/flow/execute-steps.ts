/** Executes the steps of an approved plan, one after the other, each after those it depends on. */

import { type GraphNode, queryNodes, statusOf, type Tell } from "@turnseal/folds/graph";
import type { Clock } from "@turnseal/ports";
import type { JsonObject, JsonValue } from "@turnseal/protocol";
import type { ObjectOf } from "@turnseal/protocol/graph";
import type { ActionExecutionLayer } from "../actions/action-execution.ts";
import type { FlowGraph } from "./flow-graph.ts";

/** How long an action of a step may take. */
export const STEP_MS_MAX = 30_000;

export interface StepsToExecute {
  readonly flow: FlowGraph;
  readonly plan: string;
  readonly context: string;
  readonly runId: string;
  readonly ael: ActionExecutionLayer;
  readonly clock: Clock;
  readonly newId: (path: string) => string;
  readonly tell: Tell;
}

export interface ExecutedSteps {
  readonly status: "completed" | "failed";
  /** The result of each step, by its id. */
  readonly results: Readonly<Record<string, JsonValue>>;
}

/** A plan whose step fails is failed: what depends on it is blocked, and the rest is not begun. */
export async function executeSteps(work: StepsToExecute): Promise<ExecutedSteps> {
  const { flow, plan } = work;
  const results: Record<string, JsonValue> = {};
  // If the plan cannot begin, none of its steps is executed.
  const begun = flow.apply({ kind: "move", id: plan, to: "in_progress" });
  if (begun.kind === "refused") return { status: "failed", results };
  for (;;) {
    const step = findReady(flow, plan);
    if (step === undefined) break;
    const done = await executeStep(work, step);
    if (done === undefined) {
      blockBehind(flow, plan);
      flow.apply({ kind: "move", id: plan, to: "failed" });
      return { status: "failed", results };
    }
    results[step.id] = done.result;
  }
  flow.apply({ kind: "move", id: plan, to: "completed" });
  return { status: "completed", results };
}

function listSteps({ graph }: FlowGraph, plan: string, status: string): readonly GraphNode[] {
  const { items } = queryNodes(graph, { type: "step", status, within: plan });
  return items.toSorted((a, b) => (a.place ?? 0) - (b.place ?? 0));
}

function findReady(flow: FlowGraph, plan: string): GraphNode | undefined {
  return listSteps(flow, plan, "pending").find(({ object }) =>
    dependenciesOf(object).every((id) => {
      const entry = flow.graph.entries.get(id);
      return entry !== undefined && statusOf(entry.node) === "completed";
    }),
  );
}

function dependenciesOf(object: object): readonly string[] {
  const { dependencies = [] } = object as ObjectOf["step"];
  return dependencies;
}

/** Blocks the steps that wait for a failed step, and the steps behind them. */
function blockBehind(flow: FlowGraph, plan: string): void {
  const isBlocked = ({ id }: GraphNode): boolean =>
    flow.apply({ kind: "move", id, to: "blocked" }).kind === "changed";
  while (listSteps(flow, plan, "pending").some(isBlocked));
}

async function executeStep(
  work: StepsToExecute,
  { id, object }: GraphNode,
): Promise<{ readonly result: JsonValue } | undefined> {
  const { flow, plan, context, runId, ael, tell } = work;
  const { description, agent_role: role } = object as ObjectOf["step"];
  const shared = { context_id: context, plan_id: plan };
  const said = { step_id: id, ...(role === undefined ? {} : { agent_role: role }) };
  flow.apply({ kind: "move", id, to: "in_progress" });
  tell("SAStepStarted", { ...shared, payload: said });
  const execution: JsonObject = {
    event_family: "runtime_execution",
    execution_id: work.newId(`execution ${id}`),
    executor_kind: "agent",
  };
  tell("step_execution_started", { ...execution, status: "running" });
  try {
    const action = { kind: "step", run_id: runId, ...shared, ...said, description };
    const result = await inTime(work.clock, ael.execute(action));
    tell("step_execution_completed", { ...execution, status: "completed" });
    flow.apply({ kind: "move", id, to: "completed" });
    tell("SAStepCompleted", { ...shared, payload: { ...said, status: "completed", result } });
    return { result };
  } catch {
    // The error of the action may be content: the layer that executed it has it.
    tell("step_execution_failed", { ...execution, status: "failed" });
    flow.apply({ kind: "move", id, to: "failed" });
    tell("SAStepFailed", { ...shared, payload: { ...said, status: "failed" } });
    return undefined;
  }
}

function inTime<Value>(clock: Clock, executed: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(STEP_MS_MAX, () => reject(new Error("a step took too long")));
    executed.then(resolve, reject).finally(cancel);
  });
}
