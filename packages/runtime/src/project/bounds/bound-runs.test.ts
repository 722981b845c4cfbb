/** Runs that a turn starts have turns and traces of their own, and count all the same. */
import { type CheckedLoop, createRegistry, RETRIES_MAX } from "@turnseal/kernel";
import { TURNS_MAX_DEFAULT } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { AMOUNT_MAX } from "./bounds.ts";
import { computeBounds, TURN_CALLS_MAX } from "./compute-bounds.ts";

const registry = createRegistry();
const open = { version: "1.0.0", inputSchema: true, outputSchema: true };
const attempts = 1 + RETRIES_MAX;

function register(id: string, body: object): CheckedLoop {
  const answer = registry.register({ ...open, id, name: id, ...body });
  if (answer.kind === "refused") throw new Error(JSON.stringify(answer.problems));
  return answer.loop;
}

const call = (loopId: string): object => ({ kind: "call", loopId, inputMapping: {} });
const flow = (node: object): object => ({ kind: "composite", composite: { flow: node } });
const handoff = (config: object): object => ({
  kind: "tool",
  tool: { implementation: "turnseal.handoff", config },
});

register("tool", { kind: "tool", tool: { implementation: "local.tool" } });
register("many", flow({ kind: "repeat", max: 200, until: "false", body: call("tool") }));
const backend = { id: "anthropic", model: "large" };
const prompt = { template: "Say", variables: [], maxTokens: 10 };
register("says", { kind: "prompt", backend, prompt });

describe("a handoff", () => {
  test("counts the run that it starts, with all its turns and in every attempt", () => {
    const loop = register("hand", handoff({ loop: "many", bounds: { turnsMax: 4 } }));
    const own = attempts;
    const started = 200 * attempts * 4 * attempts;
    expect(computeBounds(loop, registry)).toMatchObject({ toolCalls: own + started });
  });

  test("counts as many turns as a run has where it names no bound", () => {
    const loop = register("hand-on", handoff({ loop: "tool" }));
    expect(computeBounds(loop, registry).toolCalls).toBe(
      attempts + TURNS_MAX_DEFAULT * attempts * attempts,
    );
  });

  test("counts without an end a run that takes a turn for each signal, but for its budget", () => {
    const bounds = { awaits: ["message"] };
    const loop = register("hand-chat", handoff({ loop: "tool", bounds }));
    expect(computeBounds(loop, registry).toolCalls).toBe(AMOUNT_MAX);
    const grant = { budget: { toolCalls: 7 } };
    const held = register("hand-capped", handoff({ loop: "tool", bounds, grant }));
    expect(computeBounds(held, registry).toolCalls).toBe(attempts + 7 * attempts);
  });

  test("counts the requests of a model, and says that nobody knows its price", () => {
    const loop = register("delegates", handoff({ loop: "says", bounds: { turnsMax: 50 } }));
    const bounds = computeBounds(loop, registry);
    expect(bounds.modelCalls).toBeGreaterThanOrEqual(50);
    expect(bounds).toMatchObject({ moneyMicros: null, unpriced: ["anthropic/large"] });
  });

  test("comes to no more than the run is given to spend", () => {
    const budget = { toolCalls: 7, outputTokens: 5, moneyMicros: 3, inputTokens: 11 };
    const loop = register("given", handoff({ loop: "says", grant: { budget } }));
    expect(computeBounds(loop, registry)).toMatchObject({
      toolCalls: attempts,
      outputTokens: 5 * attempts,
      moneyMicros: 3 * attempts,
      inputTokens: 11 * attempts,
    });
  });

  test.each([
    ["a loop that nobody knows", "away", { loop: "nowhere" }],
    ["itself", "again", { loop: "again", bounds: { turnsMax: 1 } }],
  ])("to %s is too much to count", (_, id, config) => {
    const loop = register(id, handoff(config));
    expect(computeBounds(loop, registry)).toMatchObject({
      toolCalls: AMOUNT_MAX,
      modelCalls: AMOUNT_MAX,
      inputTokens: null,
      moneyMicros: null,
    });
  });

  test("that a model asks for is counted as often as a turn has room for calls", () => {
    const asks = { ...prompt, tools: [{ loopId: "hand-once" }], maxRounds: 2 };
    register("hand-once", handoff({ loop: "tool", bounds: { turnsMax: 1 } }));
    const loop = register("asks", { kind: "prompt", prompt: asks });
    const { toolCalls } = computeBounds(loop, registry);
    expect(toolCalls).toBe(TURN_CALLS_MAX * attempts + TURN_CALLS_MAX * attempts * attempts);
  });
});

test("items that are runs are not held by the trace of the turn that starts them", () => {
  const spread = { kind: "forEach", items: "$.input", max: 31, spread: "runs", body: call("many") };
  const loop = register("spreads", flow(spread));
  const bounds = computeBounds(loop, registry);
  expect(bounds.toolCalls).toBe(31 * 200 * attempts);
  expect(bounds.isHeldByTrace).toBe(false);
});

test("what is no longer shown is summarised before each request, where the prompt is asked", () => {
  const context = { strategy: "summary" };
  const loop = register("recalls", {
    ...{ kind: "prompt", backend },
    prompt: { ...prompt, context, maxRounds: 1 },
  });
  const without = register("forgets", { kind: "prompt", prompt: { ...prompt, maxRounds: 1 } });
  const [more, less] = [computeBounds(loop, registry), computeBounds(without, registry)];
  expect(more.modelCalls).toBeGreaterThan(less.modelCalls);
  expect(more.outputTokens - less.outputTokens).toBeGreaterThanOrEqual(2_048);
  expect(more.unpriced).toEqual(["anthropic/large"]);
});
