import { ModelError, scriptedModel } from "@turnseal/ports";
import { definePrompt, defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { type TestOptions, testRun } from "./test-run.ts";

const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
const paid: string[] = [];
const pay = defineTool({
  id: "pay",
  version: "1.0.0",
  input: jsonSchema<{ text: string }>(text),
  output: jsonSchema<{ text: string }>(text),
  effect: "idempotent",
  run: (input) => {
    paid.push(input.text);
    return { text: `paid ${input.text}` };
  },
});
const desk = definePrompt({
  id: "desk",
  version: "1.0.0",
  input: jsonSchema<{ text: string }>(text),
  output: jsonSchema<{ text: string }>(text),
  template: "Pay {{text}}.",
  tools: [pay],
});
const grant = { grantor: "ada", tools: ["local.pay"], budget: {} };
const call = { toolCalls: [{ tool: "local.pay", input: { text: "A-1" } }] };
const done = { json: { text: "done" } };
const base: TestOptions = { loops: [pay], grant, model: [call, done] };
const run = (changed: Partial<TestOptions>) =>
  testRun(desk, { text: "A-1" }, { ...base, ...changed });

describe("a run as a test", () => {
  test("is carried to its end, and says what came of it", async () => {
    paid.length = 0;
    const tested = await run({});
    expect(tested).toMatchObject({ stopped: "goal-reached", output: { text: "done" } });
    expect(tested.differences).toEqual([]);
    expect(tested.turns).toMatchObject([{ outcome: "completed", rounds: 2 }]);
    expect(tested.events.at(-1)?.type).toBe("run.stopped");
    expect(paid).toEqual(["A-1"]);
  });

  test("is the same each time", async () => {
    const [one, other] = [await run({}), await run({})];
    expect(one.run).toBe(other.run);
    expect(one.events).toEqual(other.events);
  });

  test("does not call a tool whose answers are written", async () => {
    paid.length = 0;
    const results = [{ given: { text: "A-1" }, result: { text: "as written" } }];
    const tested = await run({ tools: { "local.pay": { results } } });
    expect(tested.differences).toEqual([]);
    expect(paid).toEqual([]);
  });

  test("takes a model in the place of what it says", async () => {
    const { stopped, output } = await run({
      model: scriptedModel([{ text: '{"text":"by hand"}' }]),
    });
    expect({ stopped, output }).toEqual({ stopped: "goal-reached", output: { text: "by hand" } });
  });
});

describe("what is not as it is written", () => {
  test("is a difference: other arguments, a reply that nobody asked for, another end", async () => {
    const results = [{ given: { text: "B-2" }, result: { text: "" } }];
    const model = [call, done, done];
    const expectation = { stopped: "cancelled" };
    const tested = await run({ tools: { "local.pay": { results } }, model, expect: expectation });
    expect(tested.differences.map(({ path }) => path)).toEqual([
      "/model/2",
      "/tools/local.pay/results/0/given/text",
      "/expect/stopped",
    ]);
  });

  test("is a difference: a question that the script has no answer for", async () => {
    const { differences, stopped } = await run({ model: [call] });
    expect(differences).toMatchObject([{ path: "/model/1", expected: undefined }]);
    expect(stopped).not.toBe("goal-reached");
  });

  test("is a difference: a decision that nobody waits for", async () => {
    const caller = [{ approval: "local.pay", by: { id: "ada", roles: [] } }];
    expect((await run({ caller })).differences).toMatchObject([{ path: "/caller/0" }]);
  });
});

test("a run that cannot be started throws what the host says", async () => {
  const ask = { id: "ask", decision: "ask", tools: ["local.pay"], exclude: ["starter"] } as const;
  const policy = { name: "rules", rules: [ask] };
  await expect(run({ policy })).rejects.toMatchObject({ code: "STARTER_MISSING" });
});

test("an input that the schema refuses is refused by the first turn", async () => {
  const { turns } = await testRun(desk, { text: 1 } as never, base);
  expect(turns).toMatchObject([{ outcome: "refused", reason: "INPUT_VALIDATION_FAILED" }]);
});

test("a model that fails is the run's affair, and not the test's", async () => {
  const model = {
    defaultModel: "gone",
    generate: async () => {
      throw new ModelError({ code: "MODEL_UNREACHABLE", retry: "never", message: "gone" });
    },
  };
  expect(await run({ model })).toMatchObject({ stopped: "failed", differences: [] });
});
