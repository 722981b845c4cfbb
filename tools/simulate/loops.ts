/**
 * The loops that simulated runs are made of: a tool of each declaration, a prompt that offers them,
 * and composites of both.
 */
import { createRegistry, type Registry } from "@turnseal/kernel";
import type { CompositeStep, Effect, LoopDef, Mapping } from "@turnseal/protocol";

/** Tools by what they declare. */
export const TOOLS: Readonly<Record<string, Effect>> = {
  look: "read",
  put: "idempotent",
  book: "reconcile",
  pay: "once",
};

export const ROOTS = ["agent", "flow", "chain", "deep"] as const;

const header = (id: string) =>
  ({ id, name: id, version: "1.0.0", inputSchema: true, outputSchema: true }) as const;

function step(loopId: string, inputMapping: Mapping, outputBinding: string): CompositeStep {
  return { loopId, inputMapping, outputBinding };
}

const order: Mapping = { order: "$.input.order" };
const score: Mapping = { score: "$.asked.output.score" };

function listLoops(template: string): LoopDef[] {
  const tools = Object.keys(TOOLS);
  return [
    ...tools.map(
      (id): LoopDef => ({ ...header(id), kind: "tool", tool: { implementation: `local.${id}` } }),
    ),
    {
      ...header("agent"),
      kind: "prompt",
      prompt: {
        template,
        variables: ["order", "note"],
        maxTokens: 50,
        tools: tools.map((loopId) => ({ loopId })),
      },
    },
    composite("flow", [step("look", order, "seen"), step("agent", order, "asked")]),
    composite("chain", [
      step("agent", order, "asked"),
      step("put", order, "kept"),
      step("book", order, "booked"),
    ]),
    composite("deep", [
      step("flow", order, "asked"),
      step("pay", { order: { const: "fee" } }, "paid"),
    ]),
  ];
}

function composite(id: string, steps: readonly CompositeStep[]): LoopDef {
  return { ...header(id), kind: "composite", composite: { steps, outputMapping: score } };
}

function register(template: string): Registry {
  const registry = createRegistry();
  for (const loop of listLoops(template)) {
    const { kind } = registry.register(loop);
    if (kind !== "registered") throw new Error(`loop ${loop.id} is refused`);
  }
  return registry;
}

/** The loops as runs are started with them, and as a careless deployment changed them. */
export const registries = {
  deployed: register("Look after {{order}} {{note}}"),
  changed: register("Do look after {{order}} {{note}}"),
};
