import { type ScriptedReply, scriptedModel } from "@turnseal/ports";
import { type PromptSpec, ROUNDS_DEFAULT, ROUNDS_MAX } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { promptLoop, toolLoop } from "../call/sample-world.test.data.ts";
import { EMPTY_ANSWERS_MAX, OUTPUT_REPAIRS_MAX, ROUND_TOOLS_MAX } from "../limits.ts";
import {
  crashAt,
  openRun,
  type SampleRun,
  type SampleRunOptions,
} from "../turn/sample-run.test.data.ts";

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
    expect((await past.run.contents("turn.closed")).at(-1)?.unit).toBe("rounds");
    expect(past.model.requests).toHaveLength(rounds);
  },
);

test("a prompt without tools makes one round, and may ask for none", async () => {
  const model = scriptedModel([look]);
  const run = openRun({ loops: [promptLoop("ask")], model });
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BACKEND_FAILED" });
  expect(model.requests).toHaveLength(1);
  expect(model.requests[0]?.tools).toBeUndefined();
  expect(await faultOf(run)).toBe("TOOLS_NOT_OFFERED");
});

async function faultOf(run: SampleRun): Promise<unknown> {
  const [errored] = await run.contents("call.errored");
  return errored?.details.fault;
}

test("a tool that was not offered is told to the model, and nothing is called", async () => {
  const asking = { toolCalls: [{ tool: "local__pay", input: {} }] };
  const { run, model } = openAgent([asking, "done"], {
    loops: [agent(), toolLoop("look"), toolLoop("pay")],
    tools: {
      "local.look": () => ({}),
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
  expect(await faultOf(beyond.run)).toBe("TOOLS_TOO_MANY");
  expect((await beyond.run.types()).filter((type) => type === "child.started")).toEqual([]);
});

const thought: ScriptedReply = { content: [{ kind: "reasoning", text: "hm" }] };
const blank: ScriptedReply = { text: " \n" };
const nothing: ScriptedReply = { content: [] };

test("an empty answer is asked for again EMPTY_ANSWERS_MAX times, each at a cost", async () => {
  const empty = [thought, blank, nothing];
  for (const [count, outcome] of [
    [EMPTY_ANSWERS_MAX, "completed"],
    [EMPTY_ANSWERS_MAX + 1, "failed"],
  ] as const) {
    const model = scriptedModel([...empty.slice(0, count), "yes"]);
    const run = openRun({ loops: [promptLoop("ask")], model });
    expect(await run.turn()).toMatchObject({ outcome });
    expect(model.requests).toHaveLength(EMPTY_ANSWERS_MAX + 1);
    const { settled } = await run.spending();
    expect(settled).toMatchObject({ rounds: EMPTY_ANSWERS_MAX + 1, modelCalls: 3 });
    expect(await faultOf(run)).toBe(outcome === "failed" ? "ANSWER_EMPTY" : undefined);
  }
});

test("an empty answer is asked for again with the same conversation", async () => {
  const { run, model } = openAgent([look, blank, "done"]);
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(model.requests[2]?.messages).toEqual(model.requests[1]?.messages);
  const claims = await run.contents("action.claimed");
  expect(claims.at(-1)?.context).toMatchObject({ added: [], strategy: "append" });
});

test("in the last round nothing is asked for again", async () => {
  const prompt = { template: "Go", variables: [], maxRounds: 1, outputRepairs: 1 };
  for (const [reply, reason] of [
    [blank, "BACKEND_FAILED"],
    ["no number", "OUTPUT_VALIDATION_FAILED"],
  ] as const) {
    const model = scriptedModel([reply, { json: { n: 1 } }]);
    const run = openRun({ loops: [promptLoop("ask", { prompt, outputSchema: numbered })], model });
    expect(await run.turn()).toMatchObject({ outcome: "failed", reason });
    expect(model.requests).toHaveLength(1);
  }
});

const numbered = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
  additionalProperties: false,
};

function openRepaired(replies: readonly ScriptedReply[], outputRepairs?: number) {
  const model = scriptedModel(replies);
  const repairs = outputRepairs === undefined ? {} : { outputRepairs };
  const prompt = { template: "Go", variables: [], ...repairs };
  const loops = [promptLoop("ask", { prompt, outputSchema: numbered })];
  return { model, open: (options = {}) => openRun({ loops, model, ...options }) };
}

test("an output that the schema refuses is asked for again, with its problems", async () => {
  const { model, open } = openRepaired([{ json: { n: "one" } }, { json: { n: 1 } }], 1);
  const run = open();
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: { n: 1 } });
  expect(model.requests).toHaveLength(2);
  expect(model.requests[1]?.messages.slice(1)).toMatchObject([
    { role: "assistant", content: [{ kind: "text", text: '{"n":"one"}' }] },
    { role: "user", text: expect.stringContaining("/n") },
  ]);
  expect(model.requests[1]?.outputSchema).toEqual(numbered);
  expect((await run.spending()).settled).toMatchObject({ rounds: 2 });
});

test("at most OUTPUT_REPAIRS_MAX times, and not where the prompt does not say so", async () => {
  const wrong = { json: { n: "one" } };
  for (const [repairs, requests] of [
    [OUTPUT_REPAIRS_MAX, OUTPUT_REPAIRS_MAX + 1],
    [undefined, 1],
  ] as const) {
    const { model, open } = openRepaired([wrong, wrong, { json: { n: 1 } }], repairs);
    expect(await open().turn()).toMatchObject({ reason: "OUTPUT_VALIDATION_FAILED" });
    expect(model.requests).toHaveLength(requests);
  }
  const { open } = openRepaired([], OUTPUT_REPAIRS_MAX + 1);
  expect(() => open()).toThrow("outputRepairs");
});

test("a repair that was begun is resumed, and not begun again", async () => {
  for (let place = 1; place <= 4; place++) {
    const { model, open } = openRepaired(
      [{ json: { n: "one" } }, { json: { n: 1 } }, { json: { n: 1 } }],
      1,
    );
    const run = open({ beforeAppend: crashAt(place) });
    const result = await run.turn().catch(() => run.turn());
    expect(result, `append ${place}`).toMatchObject({ outcome: "completed", output: { n: 1 } });
    expect(model.requests.length).toBeLessThanOrEqual(3);
  }
});

test.each([
  ["length", "ANSWER_CUT_OFF"],
  ["content-filter", "ANSWER_WITHHELD"],
  ["error", "ANSWER_BROKEN_OFF"],
] as const)(
  "an answer that ends by %s is no answer, also one that asks for tools",
  async (finishReason, fault) => {
    const call = {
      kind: "tool-call",
      toolCallId: "a",
      toolName: "local__look",
      input: "{}",
    } as const;
    for (const content of [[{ kind: "text", text: "half an ans" } as const], [call]]) {
      const { run, model } = openAgent([{ content, finishReason }, "done"]);
      expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BACKEND_FAILED" });
      expect(await faultOf(run)).toBe(fault);
      expect(model.requests).toHaveLength(1);
      expect(await run.contents("action.settled")).toMatchObject([{ status: "ok", finishReason }]);
      expect(await run.types()).not.toContain("child.started");
    }
  },
);

test("another model than the one asked is recorded, and refused where the loop says", async () => {
  for (const [answeredBy, refuseModelDrift, outcome, drift] of [
    ["scripted-mini", false, "completed", true],
    ["scripted-mini", true, "failed", true],
    ["scripted-2026-01-01", true, "completed", undefined],
  ] as const) {
    const model = scriptedModel([{ content: [{ kind: "text", text: "yes" }], answeredBy }]);
    const run = openRun({ loops: [promptLoop("ask", { policy: { refuseModelDrift } })], model });
    expect(await run.turn()).toMatchObject({ outcome });
    const [settled] = await run.contents("action.settled");
    expect([settled?.answeredBy, settled?.drift]).toEqual([answeredBy, drift]);
    expect(await faultOf(run)).toBe(outcome === "failed" ? "MODEL_DRIFTED" : undefined);
  }
});
