/**
 * One agent's flow: a context, a plan in it, and, where the plan is approved and something executes
 * actions, its steps. The results of modules go into a graph, which refuses invalid ones, and every
 * change is reported.
 */

import { type Changed, type Refused, readWhole, type Tell } from "@turnseal/folds/graph";
import {
  type Clock,
  type Ids,
  randomIds,
  systemClock,
  type ValueStateLayer,
} from "@turnseal/ports";
import { copyJson, type JsonObject, type JsonValue, VALUE_BYTES_MAX } from "@turnseal/protocol";
import {
  type ConfirmDecision,
  checkInvariants,
  INVARIANTS,
  type Invariant,
  isConfirmDecision,
} from "@turnseal/protocol/graph";
import type { ActionExecutionLayer } from "../actions/action-execution.ts";
import { type ExecutedSteps, executeSteps } from "./execute-steps.ts";
import { createFlowGraph, type FlowGraph } from "./flow-graph.ts";
import type { ModuleContext, RuntimeContext, RuntimeModuleRegistry } from "./runtime-context.ts";

export interface RunSingleAgentFlowOptions {
  /** Passed to every module. */
  readonly flow: unknown;
  readonly runtimeContext: RuntimeContext;
  /**
   * `context` and `plan` give an object each; `confirm` gives `{ role, confirm, decision }` about
   * the plan. Absent results are left out.
   */
  readonly modules: RuntimeModuleRegistry;
  /** Keeps the output, under `runs/<runId>/output`. */
  readonly vsl: Pick<ValueStateLayer, "get" | "set">;
  /** Executes the steps of an approved plan. Without it, the plan is not begun. */
  readonly ael?: ActionExecutionLayer;
  /** Invariants on the results of modules, beside those of every single agent. */
  readonly invariants?: readonly Invariant[];
  readonly clock?: Clock;
  readonly ids?: Ids;
}

export interface RuntimeResult {
  readonly success?: boolean;
  readonly output?: JsonObject;
  /** The rule or the invariant that was broken, and where. */
  readonly error?: FlowError;
  /** Everything that happened in this tick, in order. */
  readonly events?: readonly JsonObject[];
}

export interface FlowError {
  readonly rule: string;
  readonly about: string;
}

/** A module gave what the flow cannot go on with. It never leaves this file. */
class FlowRefusedError extends Error {
  readonly refused: FlowError;

  constructor(refused: FlowError) {
    super(refused.rule);
    this.refused = refused;
  }
}

export async function runSingleAgentFlow(
  options: RunSingleAgentFlowOptions,
): Promise<RuntimeResult> {
  const { runtimeContext, clock = systemClock, ids = randomIds } = options;
  const { runId } = runtimeContext.ids;
  const { events } = runtimeContext;
  let count = 0;
  const newId = (path: string): string => ids.create(`${runId} ${path} ${++count}`);
  const agent = newId("agent");
  const tell: Tell = (type, fields) => {
    const timestamp = new Date(clock.now()).toISOString();
    const common = { event_id: newId("event"), event_type: type, timestamp };
    events.push({ ...common, ...(type.startsWith("SA") ? { sa_id: agent } : {}), ...fields });
  };
  const flow = createFlowGraph({ pipeline: newId("pipeline"), graph: newId("graph") }, tell);
  // A copy: what is loaded or unloaded meanwhile is for the next flow.
  const stage: Stage = { options, modules: { ...options.modules }, flow, tell, newId, clock };
  const flush = (): JsonObject[] => events.splice(0);
  tell("SAInitialized", { payload: { run_id: runId } });
  try {
    const { output, executed } = await runModules(stage);
    tell("SACompleted", { payload: { status: executed?.status ?? "completed" } });
    await options.vsl.set(`runs/${runId}/output`, output);
    return { success: executed?.status !== "failed", output, events: flush() };
  } catch (error) {
    if (!(error instanceof FlowRefusedError)) {
      flush();
      throw error;
    }
    tell("SACompleted", { payload: { status: "failed", ...error.refused } });
    return { success: false, error: error.refused, events: flush() };
  }
}

interface Stage {
  readonly options: RunSingleAgentFlowOptions;
  readonly modules: RuntimeModuleRegistry;
  readonly flow: FlowGraph;
  readonly tell: Tell;
  readonly newId: (path: string) => string;
  readonly clock: Clock;
}

async function runModules(
  stage: Stage,
): Promise<{ readonly output: JsonObject; readonly executed?: ExecutedSteps }> {
  const { flow, tell, options } = stage;
  // An unreadable invariant is found before any module runs.
  const { invariants = [] } = options;
  const read = checkInvariants(invariants, {});
  if (read.kind === "unreadable")
    throw new FlowRefusedError({ rule: read.id, about: read.problem });
  const context = await runModule(stage, "context", {});
  if (context !== undefined) {
    hold(flow.put("context", context));
    checkScopes({ context }, invariants);
    tell("SAContextLoaded", { context_id: String(context["context_id"]) });
  }
  const plan = await runModule(stage, "plan", context === undefined ? {} : { context });
  if (plan === undefined) return { output: context === undefined ? {} : { context } };
  hold(flow.put("plan", plan));
  checkScopes({ ...(context === undefined ? {} : { context }), plan }, invariants);
  const named = { context_id: String(plan["context_id"]), plan_id: String(plan["plan_id"]) };
  tell("SAPlanEvaluated", named);
  const made = { ...(context === undefined ? {} : { context }), plan };
  const confirmed = await confirmPlan(stage, made, named.plan_id);
  const ids = { context: named.context_id, plan: named.plan_id, confirm: confirmed?.id };
  if (confirmed?.status !== "approved" || options.ael === undefined)
    return { output: readObjects(flow, ids) };
  const { executed, trace } = await execute(stage, options.ael, named);
  const output = { ...readObjects(flow, { ...ids, trace }), results: executed.results };
  return { output, executed };
}

/** Objects as they stand now, under their types. */
function readObjects(
  { graph }: FlowGraph,
  ids: Readonly<Record<string, string | undefined>>,
): JsonObject {
  const found: Record<string, JsonObject> = {};
  for (const [type, id] of Object.entries(ids)) {
    const object = id === undefined ? undefined : readWhole(graph, id);
    if (object !== undefined) found[type] = object;
  }
  return found;
}

/** Runs a module and returns a copy of its result: neither side can change what the other holds. */
async function runModule(
  { options, modules }: Stage,
  name: string,
  made: Pick<ModuleContext, "context" | "plan">,
): Promise<JsonObject | undefined> {
  const { runtimeContext, flow } = options;
  const module = Object.hasOwn(modules, name) ? modules[name] : undefined;
  if (module === undefined) return undefined;
  const { output, events } = await module({
    ctx: { runId: runtimeContext.ids.runId, flow, ...made },
  });
  const copied = copyJson({ output, events } as unknown as JsonValue, VALUE_BYTES_MAX);
  if (copied.kind === "refused")
    throw new FlowRefusedError({ rule: "output-invalid", about: `${name} ${copied.reason}` });
  const given = copied.value as { readonly output: JsonValue; readonly events: JsonObject[] };
  runtimeContext.events.push(...given.events);
  if (typeof given.output !== "object" || given.output === null || Array.isArray(given.output))
    throw new FlowRefusedError({ rule: "output-invalid", about: name });
  return given.output as JsonObject;
}

function hold(answer: Changed | Refused): void {
  if (answer.kind === "refused")
    throw new FlowRefusedError({ rule: answer.rule, about: answer.about });
}

/** Holds what there is against the invariants of a single agent, and those of this flow. */
function checkScopes(document: JsonObject, own: readonly Invariant[]): void {
  const invariants = [...INVARIANTS["single-agent"], ...own].filter(({ scope }) =>
    Object.hasOwn(document, scope),
  );
  const checked = checkInvariants(invariants, document);
  if (checked.kind === "unreadable")
    throw new FlowRefusedError({ rule: checked.id, about: checked.problem });
  const [first] = checked.violations;
  if (first !== undefined) throw new FlowRefusedError({ rule: first.id, about: first.at });
}

/**
 * Reads the decision of the module `confirm` on this plan, if the graph accepts it; undefined
 * without that module.
 */
async function confirmPlan(
  stage: Stage,
  made: Pick<ModuleContext, "context" | "plan">,
  plan: string,
): Promise<{ readonly id: string; readonly status: ConfirmDecision["status"] } | undefined> {
  const { flow } = stage;
  const given = await runModule(stage, "confirm", made);
  if (given === undefined) return undefined;
  const { role, confirm, decision } = given;
  hold(flow.apply({ kind: "move", id: plan, to: "proposed" }));
  hold(flow.put("role", role));
  hold(flow.apply({ kind: "put", type: "confirm", object: confirm }));
  if (!isConfirmDecision(decision))
    throw new FlowRefusedError({ rule: "decision-given", about: "decision" });
  const { confirm_id: id, target_id: target } = confirm as JsonObject;
  if (target !== plan) throw new FlowRefusedError({ rule: "confirm-decides", about: plan });
  const decided: ConfirmDecision = decision;
  const confirmed = { ...(confirm as JsonObject), status: decided.status, decisions: [decision] };
  checkScopes({ ...made, confirm: confirmed } as JsonObject, stage.options.invariants ?? []);
  hold(flow.apply({ kind: "move", id: String(id), to: decided.status, decision: decided }));
  return { id: String(id), status: decided.status };
}

async function execute(
  { options, flow, tell, newId, clock }: Stage,
  ael: ActionExecutionLayer,
  named: { readonly context_id: string; readonly plan_id: string },
): Promise<{ readonly executed: ExecutedSteps; readonly trace: string }> {
  const { runId } = options.runtimeContext.ids;
  const trace = newId("trace");
  const now = (): string => new Date(clock.now()).toISOString();
  const object = {
    meta: { protocol_version: "1.0.0", schema_version: "2.0.0" },
    ...{ trace_id: trace, ...named, status: "pending", started_at: now() },
    root_span: { trace_id: trace, span_id: newId("span"), context_id: named.context_id },
  };
  hold(flow.apply({ kind: "put", type: "trace", object }));
  hold(flow.apply({ kind: "move", id: trace, to: "running" }));
  const executed = await executeSteps({
    ...{ flow, plan: named.plan_id, context: named.context_id, runId, ael, clock, newId, tell },
  });
  const note = (type: string, timestamp: string) => ({
    ...{ event_id: newId("trace event"), event_type: type },
    ...{ source: "runtime", timestamp, trace_id: trace },
  });
  const noted = [note("plan.started", object.started_at), note(`plan.${executed.status}`, now())];
  const fields = { finished_at: now(), events: noted };
  hold(flow.apply({ kind: "edit", id: trace, fields }));
  hold(flow.apply({ kind: "move", id: trace, to: executed.status }));
  tell("SATraceEmitted", { ...named, trace_id: trace });
  return { executed, trace };
}
