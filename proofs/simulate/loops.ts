/**
 * The loops of simulated runs: a tool of each declaration, prompts that offer them, composites of
 * both, steps with narrower grants than their caller, questions, and handoffs three deep.
 */
import { createRegistry, type Registry } from "@turnseal/kernel";
import {
  type Amounts,
  type CompositeStep,
  type Effect,
  HANDOFF_TOOL,
  type JsonObject,
  type LoopDef,
  type Mapping,
  QUESTION_TOOL,
} from "@turnseal/protocol";

/** Tools by what they declare. */
export const TOOLS: Readonly<Record<string, Effect>> = {
  look: "read",
  put: "idempotent",
  book: "reconcile",
  pay: "once",
  give: "once",
};

/** Tools that act at the same time as neighbours of the same kind, when a model calls them. */
export const INDEPENDENT: ReadonlySet<string> = new Set([
  "look",
  "put",
  "book",
  "give",
  "delegate-1",
]);

export const ROOTS = ["agent", "flow", "chain", "deep", "fenced", "loaned"] as const;

/** The root of some seeds, instead of the agent. */
export const TALKER = "talker";

/** The tool that every run needs: a worker can be without it. */
export const NEEDED = "put";

/** Levels of handoffs below a run. */
export const LEVELS = 3;

/** The unit of what changes something outside: no slice names it. */
export const ACTS = "simulated.acts";

/** The resource of a booking, and its cost limit. */
export const LEDGER = { family: "workspace", resource: "ledger", verb: "write" } as const;
export const LEDGER_CENTS_BELOW = 900;

const { verb, ...ledger } = LEDGER;
export const LEDGER_TERM: JsonObject = {
  ...ledger,
  verbs: [verb],
  capabilities: [],
  bounds: {},
  conditions: [`args.cents < ${LEDGER_CENTS_BELOW}`],
  approvals: [],
};

interface Slice {
  readonly tools: readonly string[];
  readonly budget: Amounts;
  readonly handoffs: readonly string[];
  readonly terms: readonly JsonObject[];
}

/** The slice of a run on each level, by the id of its loop. */
export const SLICES: Readonly<Record<string, Slice>> = {
  "office-1": cut(["look", "put", "book", "pay", "give"], 40, ["office-2", "office-3"]),
  "office-2": cut(["look", "put", "pay"], 18, ["office-3"]),
  "office-3": cut(["look", "put"], 7, []),
};

function cut(tools: readonly string[], size: number, handoffs: readonly string[]): Slice {
  return {
    tools: [...tools.map((id) => `local.${id}`), QUESTION_TOOL],
    handoffs,
    terms: tools.includes("book") ? [LEDGER_TERM] : [],
    budget: {
      ...{ modelCalls: size, toolCalls: size, effects: size, handoffs: size >> 2, turns: size },
      ...{ moneyMicros: size * 100_000, "payments.cents": size * 100 },
    },
  };
}

/** Steps with a narrower grant than their caller, by composite and place. */
export const FENCED: readonly string[] = ["local.look", "local.put"];
export const NARROWED: Readonly<Record<string, "fenced" | "loaned">> = {
  "fenced 0": "fenced",
  "loaned 0": "loaned",
};

const header = (id: string) =>
  ({ id, name: id, version: "1.0.0", inputSchema: true, outputSchema: true }) as const;

const step = (
  loopId: string,
  inputMapping: Mapping,
  outputBinding: string,
  grantMapping?: Mapping,
): CompositeStep => ({
  loopId,
  inputMapping,
  outputBinding,
  ...(grantMapping === undefined ? {} : { grantMapping }),
});

const order: Mapping = { order: "$.input.order", cents: { const: 300 } };
const score: Mapping = { score: "$.asked.output.score" };

/** The input of a tool: a person who edits can get it wrong. */
const toolInput = {
  type: "object",
  properties: { cents: { type: "integer", minimum: 0, maximum: 1_000 } },
};
export const isToolInput = (args: JsonObject): boolean => {
  const { cents } = args;
  if (cents === undefined) return true;
  return Number.isSafeInteger(cents) && Number(cents) >= 0 && Number(cents) <= 1_000;
};

/** The shape of an answer. */
const answerOutput = {
  type: "object",
  properties: { answer: { type: "integer" } },
  required: ["answer"],
};

const tool = (id: string, implementation: string, config?: JsonObject): LoopDef => ({
  ...header(id),
  kind: "tool",
  ...(implementation === QUESTION_TOOL ? { outputSchema: answerOutput } : {}),
  ...(implementation.startsWith("local.") ? { inputSchema: toolInput } : {}),
  tool: { implementation, ...(config === undefined ? {} : { config }) },
});

const prompt = (id: string, template: string, tools: readonly string[]): LoopDef => ({
  ...header(id),
  kind: "prompt",
  prompt: {
    ...{ template, variables: ["order", "note"], maxTokens: 50 },
    tools: tools.map((loopId) => ({ loopId, independent: INDEPENDENT.has(loopId) })),
  },
});

/** The same with few rounds and little room: its thread goes on past both. */
function talker({ prompt: spec, ...agent }: LoopDef): LoopDef {
  if (spec === undefined) throw new TypeError("a talker is a prompt");
  return {
    ...{ ...agent, id: TALKER, name: TALKER, prompt: { ...spec, maxRounds: 2 } },
    policy: { contextTokensMax: 4_000 },
  };
}

function listLoops(template: string): LoopDef[] {
  const tools = Object.keys(TOOLS);
  return [
    ...tools.map((id) => tool(id, `local.${id}`)),
    tool("ask-person", QUESTION_TOOL, { to: "person", role: "support", withinMs: 60_000 }),
    tool("ask-agent", QUESTION_TOOL, { to: "agent" }),
    ...Object.entries(SLICES).map(([loop, slice], index) =>
      tool(`delegate-${index + 1}`, HANDOFF_TOOL, {
        loop,
        grant: slice as unknown as JsonObject,
        bounds: {
          ...{ turnsMax: 2, failuresMax: 2, resumesMax: 12 },
          goal: { path: "$.output.score", atLeast: 40 },
        },
      }),
    ),
    prompt("agent", template, [...tools, "ask-person", "delegate-1"]),
    talker(prompt("agent", template, [...tools, "ask-person", "delegate-1"])),
    prompt("office-1", template, ["look", "put", "book", "give", "ask-agent", "delegate-2"]),
    prompt("office-2", template, ["look", "put", "pay", "ask-person", "delegate-3"]),
    prompt("office-3", template, ["put", "book", "ask-agent"]),
    composite("flow", [step("look", order, "seen"), step("agent", order, "asked")]),
    composite("chain", [
      step("agent", order, "asked"),
      step("put", order, "kept"),
      step("book", order, "booked"),
    ]),
    composite("deep", [
      step("flow", order, "asked"),
      step("pay", { order: { const: "fee" }, cents: { const: 20 } }, "paid"),
    ]),
    composite("fenced", [
      step("agent", order, "asked", { tools: { const: [...FENCED] } }),
      step("pay", order, "paid"),
    ]),
    composite("loaned", [step("agent", order, "asked", { tools: "$.input.allowed" })]),
  ];
}

function composite(id: string, steps: readonly CompositeStep[]): LoopDef {
  return { ...header(id), kind: "composite", composite: { steps, outputMapping: score } };
}

function register(template: string, without?: string): Registry {
  const registry = createRegistry();
  for (const loop of listLoops(template)) {
    if (loop.id === without) continue;
    const registered = registry.register(loop);
    if (registered.kind !== "registered")
      throw new Error(`loop ${loop.id} is refused: ${JSON.stringify(registered)}`);
  }
  return registry;
}

/** The loops as runs are started with them, and as careless deployments have them. */
export const registries = {
  deployed: register("Look after {{order}} {{note}}"),
  changed: register("Do look after {{order}} {{note}}"),
  lacking: register("Look after {{order}} {{note}}", NEEDED),
};
