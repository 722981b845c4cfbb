import { type ScriptedReply, scriptedModel } from "@turnseal/ports";
import type { PromptSpec } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { promptLoop, toolLoop } from "../call/sample-world.test.data.ts";
import { ROUND_TOOLS_MAX, ROUNDS_DEFAULT, ROUNDS_MAX } from "../limits.ts";
import { openRun, type SampleRunOptions } from "../turn/sample-run.test.data.ts";

function agent(prompt: Partial<PromptSpec> = {}) {
  return promptLoop("agent", {
    prompt: { template: "Go", variables: [], tools: [{ loopId: "look" }], ...prompt },
  });
}

function openAgent(
  replies: readonly ScriptedReply[],
  options: Partial<SampleRunOptions> & { readonly prompt?: Partial<PromptSpec> } = {},
) {
  const model = scriptedModel(replies);
  const { prompt, ...rest } = options;
  const run = openRun({
    loops: [agent(prompt), toolLoop("look", { inputSchema: { type: "object" } })],
    model,
    tools: { "local.look": { effect: "read", run: (input) => ({ saw: input }) } },
    ...rest,
  });
  return { run, model };
}

const look: ScriptedReply = { toolCalls: [{ tool: "local__look", input: { at: 1 } }] };

test("tools are called as children, and the model is told their results", async () => {
  const { run, model } = openAgent([look, "done"]);
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: { text: "done" } });
  expect(model.requests.map(({ messages }) => messages.length)).toEqual([1, 3]);
  expect(model.requests[1]?.messages.slice(1)).toEqual([
    {
      role: "assistant",
      content: [
        {
          kind: "tool-call",
          toolCallId: "call-0",
          toolName: "local__look",
          input: '{"at":1}',
        },
      ],
    },
    {
      role: "tool",
      toolCallId: "call-0",
      toolName: "local__look",
      result: { saw: { at: 1 } },
    },
  ]);
  const types = await run.types();
  expect(types.filter((type) => type === "child.started")).toHaveLength(1);
  expect(types.filter((type) => type === "action.claimed")).toHaveLength(3);
});

test("several tools of one answer are called in order", async () => {
  const calls = [1, 2, 3].map((at) => ({ tool: "local__look", input: { at } }));
  const { run, model } = openAgent([{ toolCalls: calls }, "done"]);
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  const results = model.requests[1]?.messages.filter(({ role }) => role === "tool");
  expect(results).toMatchObject([1, 2, 3].map((at) => ({ result: { saw: { at } } })));
});

test.each([
  ["ROUNDS_DEFAULT", ROUNDS_DEFAULT, undefined],
  ["a limit of its own", 2, 2],
  ["ROUNDS_MAX", ROUNDS_MAX, ROUNDS_MAX],
] as const)(
  "a prompt may make as many rounds as %s, and not one more",
  async (_, rounds, maxRounds) => {
    const prompt = maxRounds === undefined ? {} : { maxRounds };
    const asking = Array.from({ length: rounds }, () => look);
    const within = openAgent([...asking.slice(1), "done"], { prompt });
    expect(await within.run.turn()).toMatchObject({ outcome: "completed" });
    const past = openAgent(asking, { prompt });
    expect(await past.run.turn()).toMatchObject({ outcome: "failed", reason: "BUDGET_EXCEEDED" });
    expect((await past.run.events()).at(-1)?.content["unit"]).toBe("rounds");
    expect(past.model.requests).toHaveLength(rounds);
  },
);

test("a prompt without tools makes one round, and may ask for none", async () => {
  const model = scriptedModel([look]);
  const run = openRun({ loops: [promptLoop("ask")], model });
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BACKEND_FAILED" });
  expect(model.requests).toHaveLength(1);
  expect(model.requests[0]?.tools).toBeUndefined();
});

test("a tool that was not offered is told to the model, and nothing is called", async () => {
  const asking = { toolCalls: [{ tool: "local__pay", input: {} }] };
  const { run, model } = openAgent([asking, "done"], {
    loops: [agent(), toolLoop("look"), toolLoop("pay")],
    tools: {
      "local.pay": () => {
        throw new Error("it must not be called");
      },
    },
  });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ result: { error: "TOOL_UNKNOWN" } });
  expect(await run.types()).not.toContain("child.started");
});

test.each(["toString", "__proto__", "local.look"])("a tool named %s is not one", async (tool) => {
  const { run, model } = openAgent([{ toolCalls: [{ tool, input: {} }] }, "done"]);
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ result: { error: "TOOL_UNKNOWN" } });
});

test("arguments that are not JSON are told to the model, and nothing is called", async () => {
  const scripted = scriptedModel(["done"]);
  let isFirst = true;
  const { run } = openAgent([], {
    model: {
      defaultModel: "scripted",
      generate: async (request) => {
        if (!isFirst) return scripted.generate(request);
        isFirst = false;
        return {
          content: [{ kind: "tool-call", toolCallId: "a", toolName: "local__look", input: "{at:" }],
          finishReason: "tool-calls",
          usage: { inputTokens: 1, outputTokens: 1 },
        };
      },
    },
  });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(scripted.requests[0]?.messages.at(-1)).toMatchObject({
    result: { error: "ARGUMENTS_NOT_JSON" },
  });
  expect(await run.types()).not.toContain("child.started");
});

test("arguments that the tool's schema refuses are told to the model", async () => {
  const asking = { toolCalls: [{ tool: "local__look", input: "no object" }] };
  const { run, model } = openAgent([asking, "done"]);
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({
    result: { error: "INPUT_VALIDATION_FAILED" },
  });
});

test("a tool that is not granted is not executed, and the model is told", async () => {
  const { run, model } = openAgent([look, "done"], { grant: { tools: ["local.other"] } });
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(model.requests[1]?.messages.at(-1)).toMatchObject({ result: { error: "POLICY_DENIED" } });
  expect((await run.contents("action.claimed")).map(({ action }) => action)).toEqual([
    "model",
    "model",
  ]);
});

test("a tool is not executed from the moment on that its grant expires", async () => {
  const expiresAt = "2026-01-01T00:00:01.000Z";
  for (const [advanceMs, error] of [
    [999, undefined],
    [1_000, "POLICY_DENIED"],
  ] as const) {
    const scripted = scriptedModel([look, "done"]);
    const { run } = openAgent([], {
      grant: { tools: ["local.look"], expiresAt },
      model: {
        ...scripted,
        generate: (request) => {
          if (scripted.requests.length === 0) run.clock.advance(advanceMs);
          return scripted.generate(request);
        },
      },
    });
    await run.turn();
    const told = scripted.requests[1]?.messages.at(-1);
    expect(told?.role === "tool" && told.result).toEqual(
      error === undefined ? { saw: { at: 1 } } : expect.objectContaining({ error }),
    );
  }
});

test("a budget that does not allow a tool ends the prompt", async () => {
  const { run, model } = openAgent([look, "done"], { budget: { toolCalls: 0 } });
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BUDGET_EXCEEDED" });
  expect(model.requests).toHaveLength(1);
});

test("a prompt whose backend is not bound fails before anything is claimed", async () => {
  const run = openRun({ loops: [promptLoop("ask", { backend: { id: "nobody" } })] });
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BACKEND_FAILED" });
  expect(await run.types()).not.toContain("action.claimed");
});

test("two tools that go by one name fail the prompt before anything is claimed", async () => {
  const { run } = openAgent([look], {
    loops: [
      agent({ tools: [{ loopId: "look" }, { loopId: "see" }] }),
      toolLoop("look"),
      toolLoop("see", { tool: { implementation: "local.look" } }),
    ],
  });
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "LOOP_NOT_FOUND" });
  expect(await run.types()).not.toContain("action.claimed");
});

test("a model asks for up to ROUND_TOOLS_MAX tools at once, and for no more", async () => {
  const ask = (count: number): ScriptedReply => ({
    toolCalls: Array.from({ length: count }, (_, at) => ({ tool: "local__look", input: { at } })),
  });
  const within = openAgent([ask(ROUND_TOOLS_MAX), "done"]);
  expect(await within.run.turn()).toMatchObject({ outcome: "completed" });
  const beyond = openAgent([ask(ROUND_TOOLS_MAX + 1), "done"]);
  expect(await beyond.run.turn()).toMatchObject({ outcome: "failed", reason: "BACKEND_FAILED" });
  expect((await beyond.run.types()).filter((type) => type === "child.started")).toEqual([]);
});
