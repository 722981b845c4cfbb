/**
 * Compiles a plan into a loop: a composite whose flow proposes the plan first, and then executes
 * its steps (spec/plan.md §2).
 *
 * 1. The loop holds no text of the plan's author. Texts and values stand in the input, which is the
 *    plan, so that they can be erased with the content of a run.
 * 2. Its id follows from its flow: equal flows are one loop, and another flow is another.
 * 3. Steps that do not depend on each other run beside each other. A step that may fail alone, and
 *    each step that depends on one, has its own place in the sequence: only such a place can be
 *    skipped.
 */
import { canonicalize } from "../canonical-json.ts";
import { digestOf } from "../digest.ts";
import type { PlannedStep } from "../events/plan.ts";
import type { CallNode, FlowNode, ParallelNode } from "../loop/flow-spec.ts";
import type { LoopDef } from "../loop/loop-def.ts";
import type { Mapping } from "../loop/mapping.ts";
import {
  PLAN_TOOL,
  PLAN_TOOL_VERSION,
  ROLLBACK_REST,
  ROLLBACK_REST_VERSION,
} from "../tool-reference.ts";
import { type Levels, listLevels } from "./list-levels.ts";
import type { PlanDocument, PlanStep } from "./plan-document.ts";
import { listDependencies, readSource } from "./step-sources.ts";

/** True exactly for a loop that is built from a plan, with no other choices in it. */
export function isMadeOfPlan(loop: LoopDef): boolean {
  const { composite } = loop;
  if (composite === undefined || !("flow" in composite)) return false;
  return canonicalize({ ...loop }) === canonicalize({ ...loopOf(composite.flow) });
}

/**
 * The id of a plan's loop, from its flow. It is long enough that two flows with one id cannot be
 * found: an approved plan is known by it.
 */
function planLoopId(flow: FlowNode): string {
  return `plan-${digestOf({ ...flow }).slice("sha256:".length, "sha256:".length + 32)}`;
}

/** Builds the loop that executes a parsed plan. */
export function compilePlan({
  steps,
  rollback,
}: Pick<PlanDocument, "steps" | "rollback">): LoopDef {
  const isRollback = rollback !== undefined;
  const placed = placeSteps(steps, isRollback ? { onError: "continue" } : { critical: false });
  const planned = steps.map((step, index): PlannedStep => {
    const after = listDependencies(step).map((id) => placeOf(steps, id));
    return { path: placed.paths[index] ?? "", loop: step.loop, after };
  });
  const ask: CallNode = {
    kind: "call",
    loopId: PLAN_TOOL,
    // No later loop of that name asks in its place.
    loopVersion: PLAN_TOOL_VERSION,
    inputMapping: {
      document: "$.input",
      steps: { const: planned.map(({ path, loop, after }) => ({ path, loop, after: [...after] })) },
    },
  };
  const rest = !isRollback ? [] : [askForRest(steps.length, placed.alone)];
  return loopOf({ kind: "sequence", nodes: [ask, ...placed.nodes, ...rest] });
}

/**
 * The end of a rollback: each of its steps may fail alone, so that the rest are done. A failed step
 * must not count as done: a person is asked, and without an answer it fails.
 */
function askForRest(count: number, alone: readonly string[]): FlowNode {
  const ends = `[${alone.map((name) => `${name}.status`).join(", ")}]`;
  return {
    kind: "wait",
    name: "rest",
    when: `${ends}.exists(end, end != "ok")`,
    for: {
      question: {
        loopId: ROLLBACK_REST,
        loopVersion: ROLLBACK_REST_VERSION,
        inputMapping: {
          run: "$.input.rollback.run",
          notTakenBack: { cel: `${ends}.filter(end, end != "ok").size()` },
          of: { const: count },
          steps: { cel: ends },
          actions: { cel: "input.steps.map(it, has(it.description) ? it.description : it.id)" },
        },
      },
    },
  };
}

function loopOf(flow: FlowNode): LoopDef {
  return {
    id: planLoopId(flow),
    name: "plan",
    version: "1.0.0",
    kind: "composite",
    inputSchema: { type: "object" },
    outputSchema: true,
    composite: { flow },
  };
}

interface Placed {
  readonly nodes: readonly FlowNode[];
  /** Of each step, as they are declared. */
  readonly paths: readonly string[];
  /** The names of steps with a place of their own. */
  readonly alone: readonly string[];
}

/** The name of a step's result, in a path and in an expression. */
type Names = Map<string, string>;

function placeSteps(steps: readonly PlanStep[], borne: Borne): Placed {
  const names: Names = new Map();
  const paths: string[] = [];
  const standing: string[] = [];
  const nodes: FlowNode[] = [];
  const { levels } = listLevels(steps);
  const fragile = findFragile(steps, levels);
  // The first node asks for the plan.
  const nextPath = (): string => `/flow/nodes/${nodes.length + 1}`;
  for (const level of levels) {
    const own = level.filter((index) => fragile.has(idAt(steps, index)));
    const together = level.filter((index) => !own.includes(index));
    const isParallel = together.length > 1;
    if (isParallel) {
      const branches = together.map((index) => callOf(steps, index, { names, fragile, borne }));
      const name = `level${nodes.length}`;
      together.forEach((index, at) => {
        names.set(idAt(steps, index), `${name}.output[${at}]`);
        paths[index] = `${nextPath()}/branches/${at}`;
      });
      const node: ParallelNode = { kind: "parallel", name, branches };
      nodes.push(node);
    }
    const alone = isParallel ? own : level;
    for (const index of alone) {
      const name = `step${index}`;
      const call = callOf(steps, index, { names, fragile, borne });
      names.set(idAt(steps, index), `${name}.output`);
      paths[index] = nextPath();
      nodes.push({ ...call, name });
      standing.push(name);
    }
  }
  return { nodes, paths, alone: standing };
}

interface Known {
  readonly names: Names;
  readonly fragile: ReadonlySet<string>;
  /** The options of a step that may fail alone. */
  readonly borne: Borne;
}

/** Steps that read its result are skipped with it, or can read that it failed. */
type Borne = Pick<CallNode, "critical" | "onError">;

function callOf(steps: readonly PlanStep[], index: number, known: Known): CallNode {
  const step = steps[index] as PlanStep;
  const { loop: loopId, version, input = {}, critical = true } = step;
  const inputMapping: Record<string, Mapping[string]> = {};
  for (const [name, value] of Object.entries(input)) {
    const source = readSource(value);
    inputMapping[name] =
      source.kind === "step"
        ? `$.${known.names.get(source.step) ?? ""}${source.rest.slice(".output".length)}`
        : `$.input.steps[${index}].input[${JSON.stringify(name)}]`;
  }
  // It reads the status of steps that may be missing, so that it is skipped with them.
  const needed = listDependencies(step).filter((id) => known.fragile.has(id));
  const when = needed.map((id) => `${statusOf(known.names, id)} == "ok"`).join(" && ");
  return {
    kind: "call",
    loopId,
    ...(version === undefined ? {} : { loopVersion: version }),
    inputMapping,
    ...(when === "" ? {} : { when }),
    ...(critical ? {} : known.borne),
  };
}

function statusOf(names: Names, id: string): string {
  return (names.get(id) ?? "").replace(/\.output$/, ".status");
}

/** Steps that may fail alone, and all that depends on them. */
function findFragile(steps: readonly PlanStep[], levels: Levels["levels"]): ReadonlySet<string> {
  const fragile = new Set<string>();
  for (const index of levels.flat()) {
    const step = steps[index] as PlanStep;
    const { id, critical = true } = step;
    if (!critical || listDependencies(step).some((need) => fragile.has(need))) fragile.add(id);
  }
  return fragile;
}

function placeOf(steps: readonly PlanStep[], id: string): number {
  return steps.findIndex((step) => step.id === id);
}

function idAt(steps: readonly PlanStep[], index: number): string {
  return steps[index]?.id ?? "";
}
