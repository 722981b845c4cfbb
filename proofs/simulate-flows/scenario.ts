/** Draws what one seed simulates: the flow, the budget, and how unkind the world is. */
import { pinReferences } from "@turnseal/kernel";
import {
  type Amounts,
  digestPolicy,
  type JsonObject,
  type Policy,
  QUESTION_TOOL,
  type RunSpec,
} from "@turnseal/protocol";
import type { Random } from "../simulate/random.ts";
import { drawLoops, ERRAND, type FlowLoops, ROOT, TOOLS } from "./loops.ts";

export interface FlowScenario {
  readonly loops: FlowLoops;
  readonly spec: RunSpec;
  readonly body: JsonObject;
  /** Actions that fail whenever they are tried, of a hundred. */
  readonly unluck: number;
  /** True where the budget may run out. */
  readonly isTight: boolean;
  /** True where times are short, and time passes even while others stand still. */
  readonly isHasty: boolean;
  /** True where some calls are denied what they would do. */
  readonly isDenying: boolean;
  readonly isCancelled: boolean;
  readonly workers: number;
  /** How many steps of the simulation may bring faults; after them the world is kind. */
  readonly faultSteps: number;
  /** How many crashes and the like to expect: one in so many steps. */
  readonly unkindness: number;
}

const rules: Policy = {
  name: "flows",
  rules: [
    { id: "ask", decision: "ask", tools: ["local.pay"], approvers: 1 },
    { id: "rest", decision: "allow" },
  ],
};

/** More than anything needs that is simulated here. */
const SPARE = 1_000_000;

export function drawScenario(random: Random, startsMs: number): FlowScenario {
  const isHasty = random.chance(0.15);
  const isTight = random.chance(0.2);
  const isDenying = random.chance(0.15);
  const hasRules = random.chance(0.2);
  const mayWait = random.chance(0.7);
  const loops = drawLoops(random, { mayWait, mayDeny: isDenying, isHasty, startsMs });
  const budget = isTight ? drawBudget(random) : { toolCalls: SPARE, modelCalls: SPARE };
  const turnsMax = random.pick([1, 1, 1, 2]);
  const spec: RunSpec = {
    ...{ loop: ROOT, version: "1.0.0", pinned: pinReferences(loops.registry, loops.root) },
    grant: {
      ...{ grantor: "simulation", terms: [], handoffs: [ERRAND], budget },
      tools: [...Object.keys(TOOLS).map((id) => `local.${id}`), QUESTION_TOOL],
    },
    ...(hasRules ? { policy: { name: rules.name, digest: digestPolicy(rules) } } : {}),
    bounds: {
      ...{ turnsMax, failuresMax: turnsMax, resumesMax: 500 },
      goal: { path: "$.output.done", atLeast: 1 },
    },
  };
  const list = Array.from({ length: random.below(4) }, () => random.below(50));
  return {
    loops,
    spec,
    body: {
      spec: spec as unknown as JsonObject,
      input: { value: random.below(100), list },
      by: "ada",
      ...(hasRules ? { policy: rules as unknown as JsonObject } : {}),
    },
    unluck: random.pick([0, 0, 3, 3, 10, 25]),
    ...{ isTight, isHasty, isDenying },
    isCancelled: random.chance(0.04),
    workers: random.pick([1, 2, 2, 2, 3]),
    faultSteps: random.between(30, 300),
    unkindness: random.pick([0.01, 0.03, 0.08]),
  };
}

/** Room for little, or for some of what is handed on. */
function drawBudget(random: Random): Amounts {
  const isWide = random.chance(0.4);
  const draw = (least: number, most: number, slice: number): number =>
    random.between(least, most) + (isWide ? slice : 0);
  return {
    toolCalls: draw(1, 30, 60),
    ...(random.chance(0.5) ? { effects: draw(1, 20, 40) } : {}),
    modelCalls: draw(1, 6, 4),
    ...(random.chance(0.3) ? { outputTokens: draw(60, 600, 240) } : {}),
    ...(random.chance(0.5) ? { "payments.cents": draw(10, 200, 100) } : {}),
    ...(random.chance(0.5) ? { handoffs: draw(1, 2, 1) } : {}),
  };
}
