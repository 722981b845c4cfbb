import {
  type CheckedLoop,
  createRegistry,
  EMPTY_ANSWERS_MAX,
  PROMPT_LENGTH_MAX,
  RETRIES_MAX,
  SCHEMA_BYTES_MAX,
} from "@turnseal/kernel";
import { GUIDANCE_TOTAL_BYTES_MAX } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { computeBounds, TURN_CALLS_MAX } from "./compute-bounds.ts";
import { multiplyTurns } from "./multiply-turns.ts";

const registry = createRegistry();
const open = { version: "1.0.0", inputSchema: true, outputSchema: true };
const attempts = 1 + RETRIES_MAX;
/** Requests of a prompt without tools: after an empty answer, it asks again. */
const requests = attempts * (1 + EMPTY_ANSWERS_MAX);

function register(id: string, body: object): CheckedLoop {
  const answer = registry.register({ ...open, id, name: id, ...body });
  if (answer.kind === "refused") throw new Error(JSON.stringify(answer.problems));
  return answer.loop;
}

function prompt(fields: object): object {
  return { kind: "prompt", prompt: { template: "Say", variables: [], ...fields } };
}

function composite(...ids: string[]): object {
  const steps = ids.map((loopId) => ({ loopId, inputMapping: {} }));
  return { kind: "composite", composite: { steps } };
}

const tool = register("tool", {
  kind: "tool",
  tool: { implementation: "local.tool" },
  policy: { timeoutMs: 500 },
});
const plain = register("plain", prompt({ maxTokens: 100 }));
const agent = register("agent", prompt({ tools: [{ loopId: "tool" }], maxRounds: 5 }));
const both = register("both", composite("plain", "tool", "plain"));

describe("the worst case", () => {
  test("of a tool is its attempts, within its own time", () => {
    expect(computeBounds(tool, registry)).toEqual({
      calls: 1,
      modelCalls: 0,
      toolCalls: attempts,
      inputTokens: 0,
      outputTokens: 0,
      moneyMicros: 0,
      waits: 0,
      events: 5,
      activeMs: 500,
      isHeldByTrace: false,
      defaults: [],
      unpriced: [],
    });
  });

  test("of a prompt without tools is one round, and those in which it is asked again", () => {
    const bounds = computeBounds(plain, registry);
    expect(bounds).toMatchObject({ modelCalls: requests, outputTokens: requests * 100 });
    expect(bounds.inputTokens).toBeGreaterThan(0);
    expect(bounds.defaults).toEqual(["plain: timeoutMs 120000"]);
  });

  test("of a prompt that thinks has room for its thoughts and its settings", () => {
    const settings = { stop: ["END"], reasoning: { budgetTokens: 2_000 } };
    const thinking = register("thinking", prompt({ maxTokens: 100, ...settings }));
    const bounds = computeBounds(thinking, registry);
    expect(bounds.outputTokens).toBe(requests * 2_100);
    const more = Number(bounds.inputTokens) - Number(computeBounds(plain, registry).inputTokens);
    expect(more).toBeGreaterThanOrEqual(requests * '"stop":["END"]'.length);
  });

  test("of a request has room for its schema and for guidance", () => {
    const { inputTokens } = computeBounds(plain, registry);
    const units = PROMPT_LENGTH_MAX + SCHEMA_BYTES_MAX + GUIDANCE_TOTAL_BYTES_MAX;
    expect(inputTokens).toBeGreaterThan(requests * units * 6);
  });

  test("of a prompt with routes has the attempts of each that it may move on from", () => {
    const routes = [{ id: "one" }, { id: "two" }, { id: "three" }];
    const routed = register("routed", { ...prompt({ maxTokens: 100 }), policy: { routes } });
    const only = register("only", {
      ...prompt({ maxTokens: 100 }),
      policy: { routes: routes.slice(1, 2) },
    });
    const asked = requests + 2 * attempts;
    const bounds = computeBounds(routed, registry);
    expect(bounds).toMatchObject({ modelCalls: asked, outputTokens: asked * 100 });
    const unrouted = computeBounds(plain, registry);
    expect(bounds.inputTokens).toBe((Number(unrouted.inputTokens) / requests) * asked);
    expect(computeBounds(only, registry)).toMatchObject({ modelCalls: requests });
  });

  test("of routes below a model is held by the trace, with those of every call", () => {
    const routes = [{ id: "one" }, { id: "two" }];
    register("helper", { ...prompt({ maxTokens: 100 }), policy: { routes } });
    const boss = register("boss", prompt({ tools: [{ loopId: "helper" }], maxRounds: 2 }));
    expect(computeBounds(boss, registry)).toMatchObject({
      modelCalls: TURN_CALLS_MAX * (requests + attempts),
      isHeldByTrace: true,
    });
  });

  test("of filters is added once each, whatever the model says", () => {
    register("judge", prompt({ maxTokens: 7 }));
    const filters = { inputFilters: [{ loopId: "tool" }], outputFilters: [{ loopId: "judge" }] };
    const filtered = register("filtered", { ...prompt({ maxTokens: 100 }), policy: filters });
    expect(computeBounds(filtered, registry)).toMatchObject({
      modelCalls: 2 * requests,
      toolCalls: attempts,
      outputTokens: requests * 107,
      isHeldByTrace: false,
    });
  });

  test("of a prompt that mends its output is a round more, of a length that nobody knows", () => {
    const mended = register("mended", prompt({ outputRepairs: 1 }));
    const once = register("once", prompt({ outputRepairs: 1, maxRounds: 1 }));
    expect(computeBounds(mended, registry)).toMatchObject({
      modelCalls: requests + attempts,
      inputTokens: null,
    });
    expect(computeBounds(once, registry)).toMatchObject({ modelCalls: attempts });
  });

  test("of a composite is the sum of its steps", () => {
    const bounds = computeBounds(both, registry);
    expect(bounds).toMatchObject({ modelCalls: 2 * requests, toolCalls: attempts });
    expect(bounds.outputTokens).toBe(2 * requests * 100);
    expect(bounds.isHeldByTrace).toBe(false);
  });

  test("of a prompt with tools is multiplied by its rounds, and held by the trace", () => {
    const bounds = computeBounds(agent, registry);
    expect(bounds).toMatchObject({
      modelCalls: 5 * attempts,
      toolCalls: TURN_CALLS_MAX * attempts,
      inputTokens: null,
      outputTokens: 5 * attempts * 4_096,
      isHeldByTrace: true,
    });
    expect(bounds.defaults).toEqual(["agent: timeoutMs 120000", "agent: maxTokens 4096"]);
  });

  test("of loops that lead to each other in many ways is found at once, and stays a number", () => {
    register("level-0", composite("plain"));
    for (let level = 1; level < 30; level++) {
      register(`level-${level}`, composite(...Array(250).fill(`level-${level - 1}`)));
    }
    const top = registry.resolve("level-29");
    if (top === undefined) throw new Error("the top is registered");
    const bounds = computeBounds(top, registry);
    expect(bounds.modelCalls).toBe(TURN_CALLS_MAX * requests);
    expect(bounds.inputTokens).toBe(Number.MAX_SAFE_INTEGER);
  });
});

test("a run is as many turns, and no number passes the largest safe one", () => {
  expect(multiplyTurns(computeBounds(agent, registry), 8)).toMatchObject({
    turns: 8,
    modelCalls: 8 * 5 * attempts,
    inputTokens: null,
    activeMs: 8 * 120_000,
  });
  const most = { ...computeBounds(tool, registry), toolCalls: Number.MAX_SAFE_INTEGER };
  expect(multiplyTurns(most, 2).toolCalls).toBe(Number.MAX_SAFE_INTEGER);
});
