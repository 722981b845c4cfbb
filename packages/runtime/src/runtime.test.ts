import { manualClock, memorySink, scriptedModel, seededIds } from "@turnseal/ports";
import { isLoopError } from "@turnseal/protocol";
import {
  defineComposite,
  definePrompt,
  defineTool,
  jsonSchema,
  type Loop,
} from "@turnseal/protocol/authoring";
import type { CallEvent } from "@turnseal/protocol/trace";
import { expect, test } from "vitest";
import { z } from "zod";
import { createRuntime, DefinitionError } from "./runtime.ts";

const add = defineTool({
  id: "add",
  version: "1.0.0",
  input: z.object({ left: z.number(), right: z.number() }),
  output: z.object({ sum: z.number() }),
  run: ({ left, right }) => ({ sum: left + right }),
});
const explain = definePrompt({
  id: "explain",
  version: "1.0.0",
  input: z.object({ sum: z.number() }),
  output: z.object({ text: z.string() }),
  template: "Explain {{sum}}",
});
const addAndExplain = defineComposite({
  id: "add-and-explain",
  version: "1.0.0",
  input: z.object({ left: z.number() }),
  output: z.object({ sum: z.number(), text: z.string() }),
  steps: (steps) =>
    steps
      .call("added", add, ({ input }) => ({ left: input.left, right: 1 }))
      .call("explained", explain, ({ added }) => ({ sum: added.output.sum }))
      .output(({ added, explained }) => ({
        sum: added.output.sum,
        text: explained.output.text,
      })),
});

test("loops that are written in TypeScript run without a key or a server", async () => {
  const runtime = createRuntime({ loops: [add, explain, addAndExplain] });
  const result = await runtime.call(addAndExplain, { left: 41 });
  expect(result).toMatchObject({
    status: "ok",
    output: { sum: 42, text: "scripted answer to: Explain 42" },
  });
});

test("a model that is bound answers instead of the scripted one", async () => {
  const models = { scripted: scriptedModel(["it is the answer"]) };
  const runtime = createRuntime({ loops: [add, explain, addAndExplain], models });
  const result = await runtime.call(addAndExplain, { left: 41 });
  expect(result).toMatchObject({ output: { text: "it is the answer" } });
});

test("an input that the types could not see is refused as a result", async () => {
  const runtime = createRuntime({ loops: [add] });
  const input = JSON.parse('{"left": 1, "right": "2"}');
  expect(await runtime.call(add, input)).toMatchObject({
    status: "error",
    error: { code: "INPUT_VALIDATION_FAILED", details: { problems: ["/right: must be number"] } },
  });
});

test("a function that lies about its output is refused as a result", async () => {
  const liar = defineTool({
    id: "liar",
    version: "1.0.0",
    input: jsonSchema<object>({}),
    output: jsonSchema<{ sum: number }>({ type: "object", required: ["sum"] }),
    run: () => ({}) as { sum: number },
  });
  expect(await createRuntime({ loops: [liar] }).call(liar, {})).toMatchObject({
    error: { code: "OUTPUT_VALIDATION_FAILED" },
  });
});

test("a loop that was not given is not found, and nothing is thrown", async () => {
  const result = await createRuntime({ loops: [] }).call(add, { left: 1, right: 2 });
  expect(result).toMatchObject({ status: "error", error: { code: "LOOP_NOT_FOUND" } });
});

test("a document with a name for its function is bound by the operator", async () => {
  const document: Loop<{ a: number }, { a: number }> = {
    definition: {
      id: "from-document",
      name: "From a document",
      version: "1.0.0",
      kind: "tool",
      inputSchema: {},
      outputSchema: {},
      tool: { implementation: "acme.increment" },
    },
  };
  const tools = { "acme.increment": (input: unknown) => ({ a: (input as { a: number }).a + 1 }) };
  const result = await createRuntime({ loops: [document], tools }).call(document, { a: 1 });
  expect(result).toMatchObject({ status: "ok", output: { a: 2 } });
});

test("a loop that is refused says which, why and how to mend it", () => {
  const broken = defineTool({
    id: "broken",
    version: "one",
    input: jsonSchema<object>({ type: "text" }),
    output: jsonSchema<object>({}),
    run: () => ({}),
  });
  const create = () => createRuntime({ loops: [add, broken] });
  expect(create).toThrow(DefinitionError);
  expect(create).toThrow(
    expect.objectContaining({
      code: "DEFINITION_REFUSED",
      message: expect.stringContaining("loop broken is refused: /version one is not"),
      problems: [
        expect.objectContaining({ rule: "version-semver", path: "/version" }),
        expect.objectContaining({ rule: "schema-invalid", path: "/inputSchema/type" }),
      ],
    }),
  );
  try {
    create();
  } catch (error) {
    expect(isLoopError(error)).toBe(true);
  }
});

const version = (number: string, sum: number, implementation?: string) =>
  defineTool({
    id: "total",
    version: number,
    input: jsonSchema<object>({}),
    output: jsonSchema<{ sum: number }>({}),
    run: () => ({ sum }),
    ...(implementation === undefined ? {} : { implementation }),
  });

test("two functions for one version of a tool are refused, not confused", () => {
  const loops = [version("1.0.0", 1), version("1.0.0", 2)];
  expect(() => createRuntime({ loops })).toThrow(
    expect.objectContaining({ problems: [expect.objectContaining({ rule: "registry-conflict" })] }),
  );
});

test.each([undefined, "local.total-2"])(
  "two versions are called each by its own function, under the name %s",
  async (name) => {
    const [first, second] = [version("1.0.0", 1), version("2.0.0", 2, name)];
    const runtime = createRuntime({ loops: [first, second] });
    expect(await runtime.call(first, {})).toMatchObject({
      loopVersion: "1.0.0",
      output: { sum: 1 },
    });
    expect(await runtime.call(second, {})).toMatchObject({ output: { sum: 2 } });
  },
);

test("clock, ids, listener and signal are passed on", async () => {
  const { sink, events } = memorySink();
  const run = () =>
    createRuntime({ loops: [add], clock: manualClock(), ids: seededIds("seed") }).call(
      add,
      { left: 1, right: 2 },
      { sink },
    );
  expect(await run()).toEqual(await run());
  const types = events.map(({ type }: CallEvent) => type);
  expect(types.slice(0, types.length / 2)).toEqual(types.slice(types.length / 2));
  const cancelled = await createRuntime({ loops: [add] }).call(
    add,
    { left: 1, right: 2 },
    { signal: AbortSignal.abort() },
  );
  expect(cancelled).toMatchObject({ error: { code: "CANCELLED" } });
});
