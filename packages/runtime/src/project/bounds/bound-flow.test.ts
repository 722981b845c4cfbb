import { type CheckedLoop, createRegistry, RETRIES_MAX, TRACE_EVENTS_MAX } from "@turnseal/kernel";
import type { FlowNode } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { AMOUNT_MAX } from "./bounds.ts";
import { computeBounds, type TurnBounds } from "./compute-bounds.ts";

const registry = createRegistry();
const open = { version: "1.0.0", inputSchema: true, outputSchema: true };

function register(id: string, body: object): CheckedLoop {
  const answer = registry.register({ ...open, id, name: id, ...body });
  if (answer.kind === "refused") throw new Error(JSON.stringify(answer.problems));
  return answer.loop;
}

register("tool", { kind: "tool", tool: { implementation: "local.tool" } });
register("undone", { kind: "tool", tool: { implementation: "local.undone" } });
register("undone.undo", { kind: "tool", tool: { implementation: "local.undone.undo" } });
register("ask", { kind: "tool", tool: { implementation: "turnseal.question" } });
register("plain", { kind: "prompt", prompt: { template: "Say", variables: [], maxTokens: 10 } });

let count = 0;
function boundsOf(flow: FlowNode): TurnBounds {
  const loop = register(`flow-${count++}`, { kind: "composite", composite: { flow } });
  return computeBounds(loop, registry);
}

/** How many tools are executed once, at most: any execution may be retried. */
const executionsOf = (flow: FlowNode): number => boundsOf(flow).toolCalls / (1 + RETRIES_MAX);

const tool: FlowNode = { kind: "call", loopId: "tool", inputMapping: {} };
const undone: FlowNode = { kind: "call", loopId: "undone", inputMapping: {} };
const two: FlowNode = { kind: "sequence", nodes: [tool, tool] };
const three: FlowNode = { kind: "sequence", nodes: [tool, tool, tool] };

describe("the worst case of a flow", () => {
  const cases: [string, FlowNode, number][] = [
    ["a call", tool, 1],
    ["a sequence is the sum", two, 2],
    ["what runs at once is the sum", { kind: "parallel", branches: [tool, two] }, 3],
    ["one of which is enough too", { kind: "parallel", join: "any", branches: [tool, two] }, 3],
    [
      "a branch is the largest case",
      {
        kind: "branch",
        cases: [
          { when: "true", do: two },
          { when: "true", do: three },
        ],
        else: tool,
      },
      3,
    ],
    ["rounds", { kind: "repeat", until: "true", max: 7, body: two }, 14],
    ["items", { kind: "forEach", items: "$.input", max: 256, body: two }, 512],
    ["tries", { ...two, retry: { strategy: "fixed", max: 4 } }, 8],
    ["tries that are not said", { ...tool, retry: { strategy: "exponential" } }, 5],
    [
      "what runs in its place comes on top",
      { ...two, retry: { strategy: "fixed", max: 2 }, otherwise: three },
      7,
    ],
    [
      "rounds of items of tries",
      {
        ...{ kind: "repeat", while: "true", max: 10 },
        body: {
          ...{ kind: "forEach", items: "$.input", max: 10 },
          body: { ...tool, retry: { strategy: "immediate", max: 2 } },
        },
      },
      200,
    ],
    [
      "a machine that comes back: the largest state, once more than there are transitions",
      {
        ...{ kind: "machine", initial: "a", maxTransitions: 9 },
        states: {
          a: { onEntry: tool, body: tool, onExit: tool, transitions: [{ next: "b" }] },
          b: { body: two, transitions: [{ when: "true", next: "a" }, { next: "c" }] },
          c: { terminal: true, body: tool },
        },
      },
      30,
    ],
    [
      "a machine that never comes back: each state once",
      {
        ...{ kind: "machine", initial: "a" },
        states: {
          a: { body: three, transitions: [{ when: "true", next: "c" }, { next: "b" }] },
          b: { body: two, transitions: [{ next: "c" }] },
          c: { terminal: true, body: tool },
        },
      },
      6,
    ],
    ["a group, and what takes its members back", { ...two, group: true, nodes: [undone, tool] }, 3],
    ["a question is asked by a tool", waitFor("ask"), 1],
    ["a loop that is not there does nothing", { ...tool, loopId: "nothing" } as FlowNode, 0],
  ];
  test.each(cases)("%s", (_, flow, executions) => {
    expect(executionsOf(flow)).toBe(executions);
  });

  test("counts calls, requests, tokens, waits and events", () => {
    const prompt: FlowNode = { kind: "call", loopId: "plain", inputMapping: {} };
    const flow: FlowNode = {
      ...{ kind: "forEach", items: "$.input", max: 4 },
      body: { kind: "sequence", nodes: [prompt, { kind: "wait", for: { signal: "go" } }] },
    };
    // A prompt may ask three times after empty answers, each with two retries.
    expect(boundsOf(flow)).toMatchObject({
      ...{ calls: 5, modelCalls: 36, toolCalls: 0, outputTokens: 360, waits: 4 },
      // Two of the composite, four times five of a call and two around it, five of the fan-out.
      events: 2 + 4 * 7 + 5,
    });
  });

  test("adds up through composites", () => {
    register("inner", { kind: "composite", composite: { flow: two } });
    const inner: FlowNode = { kind: "call", loopId: "inner", inputMapping: {} };
    const flow: FlowNode = { kind: "repeat", until: "true", max: 3, body: inner };
    expect(boundsOf(flow)).toMatchObject({ calls: 1 + 3 * 3, toolCalls: 18 });
  });

  test("names every bound that no document has", () => {
    const flow: FlowNode = {
      kind: "sequence",
      nodes: [
        { ...tool, retry: { strategy: "exponential" } },
        { kind: "wait", for: { signal: "go" } },
        { kind: "wait", for: { signal: "go" }, withinMs: 5 },
        { kind: "machine", initial: "a", states: { a: { terminal: true } } },
      ],
    };
    const id = `flow-${count}`;
    expect(boundsOf(flow).defaults).toEqual([
      `${id}: timeoutMs 900000`,
      `${id} /composite/flow/nodes/0: retry.max 5`,
      `${id} /composite/flow/nodes/1: withinMs 86400000`,
      `${id} /composite/flow/nodes/3: maxTransitions 50`,
    ]);
  });

  test("stays a number, and says when a turn has no room for it", () => {
    const deep = [1, 2, 3, 4, 5, 6].reduce<FlowNode>(
      (body) => ({ kind: "repeat", until: "true", max: 1_000, body }),
      tool,
    );
    const bounds = boundsOf(deep);
    expect(bounds.events).toBe(AMOUNT_MAX);
    expect(bounds.calls).toBe(TRACE_EVENTS_MAX / 2);
    expect(bounds.isHeldByTrace).toBe(true);
  });
});

test("a list without a maximum is refused before it could be bounded", () => {
  const answer = registry.register({
    ...{ ...open, id: "wide", name: "wide", kind: "composite" },
    composite: { flow: { kind: "forEach", items: "$.input", body: tool } },
  });
  expect(answer).toMatchObject({
    kind: "refused",
    problems: [{ rule: "field-missing", path: "/composite/flow", message: "`max` is missing" }],
  });
});

function waitFor(loopId: string): FlowNode {
  return { kind: "wait", for: { question: { loopId, inputMapping: {} } } };
}

describe("the most that a flow costs", () => {
  const price = { inputMicrosPerMillion: 1_000_000, outputMicrosPerMillion: 10_000_000 };
  const dear = { inputMicrosPerMillion: 2_000_000, outputMicrosPerMillion: 20_000_000 };
  const prices = { asOf: "2026-01-01", models: { "test/small": price, "test/large": dear } };
  const pricing = { prices, modelOf: (id: string) => (id === "test" ? "small" : undefined) };
  const prompt = { template: "Say", variables: [], maxTokens: 10 };
  register("cheap", { kind: "prompt", prompt, backend: { id: "test" } });
  const routes = [
    { id: "test", model: "large" },
    { id: "test", model: "small" },
  ];
  register("routed", { kind: "prompt", prompt, policy: { routes } });
  register("unpriced", { kind: "prompt", prompt, backend: { id: "test", model: "new" } });
  const tools = [{ loopId: "tool" }];
  register("agent", { kind: "prompt", prompt: { ...prompt, tools }, backend: { id: "test" } });

  const costOf = (flow: FlowNode): TurnBounds => {
    const loop = register(`priced-${count++}`, { kind: "composite", composite: { flow } });
    return computeBounds(loop, registry, pricing);
  };
  const call = (loopId: string): FlowNode => ({ kind: "call", loopId, inputMapping: {} });
  const each = (max: number, body: FlowNode): FlowNode => ({
    ...{ kind: "forEach", items: "$.input", max, body },
  });
  const one = costOf(call("cheap"));

  test("is that of its requests, each as dear as it can be", () => {
    const { inputTokens, outputTokens, moneyMicros } = one;
    expect(outputTokens).toBeGreaterThan(0);
    expect(moneyMicros).toBe((inputTokens ?? 0) * 1 + outputTokens * 10);
    expect(one.unpriced).toEqual([]);
  });

  test("is multiplied as whatever else repeats", () => {
    const money = one.moneyMicros ?? 0;
    expect(costOf(each(200, call("cheap"))).moneyMicros).toBe(200 * money);
    expect(costOf({ ...call("cheap"), retry: { strategy: "fixed", max: 4 } }).moneyMicros).toBe(
      4 * money,
    );
    expect(
      costOf({ kind: "parallel", branches: [call("cheap"), call("tool"), call("cheap")] })
        .moneyMicros,
    ).toBe(2 * money);
  });

  test("is that of the dearest model where there are several", () => {
    const { inputTokens, outputTokens, moneyMicros } = costOf(call("routed"));
    expect(moneyMicros).toBe((inputTokens ?? 0) * 2 + outputTokens * 20);
  });

  test("is not known where a price is missing, which is named once", () => {
    const bounds = costOf({ kind: "sequence", nodes: [call("unpriced"), call("unpriced")] });
    expect(bounds).toMatchObject({ moneyMicros: null, unpriced: ["test/new"] });
    expect(costOf(call("agent"))).toMatchObject({ moneyMicros: null, unpriced: [] });
  });

  test("is nothing where no model is asked", () => {
    expect(costOf(each(256, call("tool")))).toMatchObject({ moneyMicros: 0, unpriced: [] });
  });
});
