/** The loops of one seed: fixed tools, prompts, questions and handoffs, and flows of them. */
import { type CheckedLoop, createRegistry, type Registry } from "@turnseal/kernel";
import {
  type Amounts,
  type Effect,
  type FlowNode,
  HANDOFF_TOOL,
  type JsonObject,
  type LoopDef,
  QUESTION_TOOL,
} from "@turnseal/protocol";
import { computeBounds, type TurnBounds } from "@turnseal/runtime/project";
import type { Random } from "../simulate/random.ts";
import type { FlowOptions } from "./ground.ts";
import { growFlow } from "./grow-flow.ts";
import { SIGNALS } from "./grow-leaf.ts";

/** Tools by what they declare. One of them never answers. */
export const TOOLS: Readonly<Record<string, Effect>> = {
  look: "read",
  hang: "read",
  put: "idempotent",
  book: "reconcile",
  pay: "once",
};

export const ROOT = "root";
export const ERRAND = "errand";

/** The grant of a run that is started by a handoff. */
export const SLICE: { readonly tools: readonly string[]; readonly budget: Amounts } = {
  tools: ["local.look", "local.put", "local.hang"],
  budget: {
    ...{ toolCalls: 60, effects: 40, modelCalls: 4, outputTokens: 240, turns: 2, handoffs: 1 },
    "payments.cents": 100,
  },
};

const DAY_MS = 86_400_000;

const header = (id: string) =>
  ({ id, name: id, version: "1.0.0", inputSchema: true, outputSchema: true }) as const;

const tool = (id: string, implementation: string, config?: JsonObject): LoopDef => ({
  ...header(id),
  kind: "tool",
  tool: { implementation, ...(config === undefined ? {} : { config }) },
});

const answered = {
  type: "object",
  properties: { value: { type: "integer" } },
  required: ["value"],
};

const fixed: readonly LoopDef[] = [
  ...Object.keys(TOOLS).map((id) => tool(id, `local.${id}`)),
  {
    ...tool("ask", QUESTION_TOOL, { to: "person", withinMs: DAY_MS }),
    outputSchema: answered,
  },
  tool("delegate", HANDOFF_TOOL, {
    loop: ERRAND,
    grant: { ...SLICE, handoffs: [], terms: [] } as unknown as JsonObject,
    bounds: { turnsMax: 1, failuresMax: 1, resumesMax: 500 },
  }),
  {
    ...header("think"),
    kind: "prompt",
    prompt: {
      template: "Think of {{salt}} {{field1}}",
      variables: ["salt", "field1"],
      maxTokens: 60,
    },
  },
  {
    ...header("agent"),
    kind: "prompt",
    prompt: {
      ...{ template: "See to {{salt}}", variables: ["salt"], maxTokens: 60, maxRounds: 3 },
      tools: [
        { loopId: "look", independent: true },
        { loopId: "put", independent: true },
      ],
    },
  },
];

const acts = [
  ["look", 3],
  ["put", 3],
] as const;
const called = [...acts, ["book", 2], ["pay", 1.5], ["think", 1]] as const;

function composite(id: string, flow: FlowNode): LoopDef {
  const outputMapping = { done: { const: 1 }, result: `$.${flow.name}.output` };
  const policy = { timeoutMs: DAY_MS };
  return { ...header(id), kind: "composite", policy, composite: { flow, outputMapping } };
}

export interface FlowLoops {
  readonly registry: Registry;
  readonly root: CheckedLoop;
  /** The bounds of the root, and of runs that it hands to. */
  readonly bounds: ReadonlyMap<string, TurnBounds>;
  /** The nodes of all flows. */
  readonly nodes: number;
  /**
   * Signals with a schema in every wait. Any other wait accepts every payload, so no payload is
   * wrong there.
   */
  readonly strictSignals: ReadonlySet<string>;
}

/** A rough limit of the calls of a seed's run: longer ones show no more. */
const CALLS_MAX = 160;

type Given = Omit<FlowOptions, "random" | "size" | "called">;

export function drawLoops(random: Random, given: Given): FlowLoops {
  const sizes = [4, 8, 8, 12, 12, 20, 20, 30, 45, 70, 120, 190] as const;
  const errand = growFlow({
    ...given,
    random,
    size: random.between(2, 6),
    called: acts,
    mayWait: false,
  });
  const part = growFlow({ ...given, random, size: random.between(2, 8), called });
  // How often a model asks for a tool no document says: with one, hardly anything is bounded.
  const agent = random.chance(0.25) ? ([["agent", 1]] as const) : [];
  let size: number = random.pick(sizes);
  const most = Math.max(CALLS_MAX, size * 1.5);
  const all = [...called, ...agent, ["part", 0.5], ["delegate", 0.25]] as const;
  let root = growFlow({ ...given, random, size, called: all });
  while (root.calls > most) {
    size = Math.max(3, Math.floor(size * 0.9));
    root = growFlow({ ...given, random, size, called: all });
  }
  const loops = [
    ...fixed,
    ...[composite(ERRAND, errand.flow), composite("part", part.flow), composite(ROOT, root.flow)],
  ];
  const registry = createRegistry();
  for (const loop of loops) {
    const registered = registry.register(loop);
    if (registered.kind !== "registered")
      throw new Error(`loop ${loop.id} is refused: ${JSON.stringify(registered)}`);
  }
  const bounds = new Map<string, TurnBounds>();
  for (const id of [ROOT, ERRAND]) bounds.set(id, computeBounds(find(registry, id), registry));
  const nodes = errand.nodes + part.nodes + root.nodes;
  const strictSignals = new Set<string>(SIGNALS.filter((name) => !isFreelyHeard(loops, name)));
  return { registry, root: find(registry, ROOT), bounds, nodes, strictSignals };
}

/** True where some wait accepts any payload of that signal. */
function isFreelyHeard(part: unknown, signal: string): boolean {
  if (typeof part !== "object" || part === null) return false;
  const { signal: name, schema } = part as { signal?: unknown; schema?: unknown };
  if (name === signal && schema === undefined) return true;
  return Object.values(part).some((each) => isFreelyHeard(each, signal));
}

function find(registry: Registry, id: string): CheckedLoop {
  const loop = registry.resolve(id);
  if (loop === undefined) throw new Error(`loop ${id} is not registered`);
  return loop;
}
